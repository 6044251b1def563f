/* mutant.c: GetPjrtApi of the plugin that wraps another one; see mutant.h. */
#include "conformance/mutants/mutant.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/mutants/mutant_load.h"

PJRT_Api real;
static PJRT_Api table; /* what clients get */
static void *library;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

static const struct {
    const char *name;
    void (*apply)(PJRT_Api *api);
} mutants[] = {
#define MUTANT(name, breaks, rules) {#name, mutant_##name},
#include "conformance/mutants/mutants.def"
#undef MUTANT
};

PJRT_Error *mutant_error(void)
{
    PJRT_Client_PlatformName_Args args = {.struct_size = sizeof args.struct_size};
    return real.PJRT_Client_PlatformName(&args);
}

void mutant_drop(PJRT_Error *error)
{
    PJRT_Error_Destroy_Args args = {.struct_size = sizeof args, .error = error};
    real.PJRT_Error_Destroy(&args);
}

void mutant_leak(size_t bytes)
{
    static void *volatile kept; /* so that the compiler does not leave it out */
    kept = malloc(bytes);
    if (kept)
        memset(kept, 1, bytes);
}

bool mutant_is(const char *name)
{
    const char *wanted = getenv("MUTANT");
    return wanted && !strcmp(wanted, name);
}

static const PJRT_Api *open_plugin(void)
{
    const char *path = getenv("MUTANT_PLUGIN");
    const PJRT_Api *(*get)(void);
    library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    void *symbol = library ? dlsym(library, "GetPjrtApi") : NULL;
    memcpy(&get, &symbol, sizeof get);
    return symbol ? get() : NULL;
}

static void make_table(void)
{
    const PJRT_Api *api = open_plugin();
    if (!api)
        return;
    memcpy(&real, api, api->struct_size < sizeof real ? api->struct_size : sizeof real);
    table = real;
    for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++)
        if (mutant_is(mutants[i].name))
            mutants[i].apply(&table);
}

__attribute__((visibility("default"))) const PJRT_Api *GetPjrtApi(void);
const PJRT_Api *GetPjrtApi(void)
{
    pthread_once(&opened, make_table);
    return mutant_load(real.struct_size ? &table : NULL);
}

__attribute__((destructor)) static void close_plugin(void)
{
    if (library)
        dlclose(library);
}
