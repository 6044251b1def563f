/* codegen_library.c: see codegen_library.h. */
#include "compiler/codegen_library.h"

#include <pthread.h>

#include "base/library.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct codegen_library library;

static struct error *open_library(void)
{
    static const char *const names[] = {"codegen_compile", "codegen_scratch_size", "codegen_load",
                                        "codegen_unload"};
    void *symbols[4];
    TRY(library_open("libgantry_codegen.so", "codegen_build", 4, names, symbols));
    library.scratch_size = (codegen_scratch_size_function *)symbols[1];
    library.load = (codegen_load_function *)symbols[2];
    library.unload = (codegen_unload_function *)symbols[3];
    library.compile = (codegen_compile_function *)symbols[0];
    return NULL;
}

struct error *codegen_library(const struct codegen_library **out)
{
    pthread_mutex_lock(&lock);
    struct error *error = library.compile ? NULL : open_library();
    pthread_mutex_unlock(&lock);
    *out = error ? NULL : &library;
    return error;
}
