/* misshapen_args_test.c: every function of the built plugins' tables and extensions, with no
 * arguments, with structs of every size, and with handles that are NULL: an error with a message,
 * and never a crash. GANTRY_LIB is the plugins' folder. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pjrt_c_api.h"
#include "pjrt_c_api_cross_host_transfers_extension.h"
#include "pjrt_c_api_tpu_topology_extension.h"

/* More than any struct of arguments; zeros. */
enum { WORDS = 64, WORD = sizeof(void *) };

/* All functions take the address of a struct that begins with its size. */
typedef PJRT_Error *function(void *args);

static const PJRT_Api *api;

static void open_plugin(const char *name)
{
    char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    const PJRT_Api *(*get)(void);
    snprintf(path, sizeof path, "%s/%s", folder ? folder : "build/lib", name);
    void *library = dlopen(path, RTLD_NOW);
    cr_assert(library, "%s", dlerror());
    *(void **)&get = dlsym(library, "GetPjrtApi");
    cr_assert(get && (api = get()));
}

static void open_cpu(void)
{
    open_plugin("pjrt_c_api_gantry_plugin.so");
}

static void open_tpu(void)
{
    open_plugin("pjrt_c_api_gantrytpu_plugin.so");
}

/* Whether there was an error (destroyed); it has a message and a code. */
static bool refused(const char *name, PJRT_Error *error)
{
    if (!error)
        return false;
    PJRT_Error_Message_Args text = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE,
                                    .error = error};
    PJRT_Error_GetCode_Args code = {.struct_size = PJRT_Error_GetCode_Args_STRUCT_SIZE,
                                    .error = error};
    api->PJRT_Error_Message(&text);
    cr_expect_gt(text.message_size, 10, "%s", name);
    cr_expect_null(api->PJRT_Error_GetCode(&code));
    cr_expect(code.code == PJRT_Error_Code_INVALID_ARGUMENT ||
                  code.code == PJRT_Error_Code_UNIMPLEMENTED,
              "%s: code %d: %.*s", name, (int)code.code, (int)text.message_size, text.message);
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE,
                                       .error = error};
    api->PJRT_Error_Destroy(&destroy);
    return true;
}

/* Without arguments, and with zeros of every size below `size`. */
static void try_sizes(const char *name, function *call, size_t size, void *handle)
{
    cr_expect(refused(name, call(NULL)), "%s: accepts no arguments", name);
    for (size_t short_by = 1; short_by * WORD <= size; short_by++) {
        size_t words[WORDS] = {size - short_by * WORD};
        memcpy(&words[1], &handle, sizeof handle);
        refused(name, call(words));
    }
}

static function *member(const void *table, size_t offset)
{
    function *call;
    memcpy(&call, (const char *)table + offset, sizeof call);
    return call;
}

/* These succeed without any input. */
static bool needs_nothing(const char *name)
{
    static const char *const names[] = {"PJRT_Plugin_Initialize", "PJRT_Plugin_Attributes",
                                        "PJRT_Client_Create", "PJRT_ExecuteContext_Create",
                                        "PJRT_TopologyDescription_Create"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static void try_function(const char *name, size_t offset, size_t size)
{
    function *call = member(api, offset);
    try_sizes(name, call, size, NULL);
    size_t words[WORDS] = {size};
    if (!needs_nothing(name))
        refused(name, call(words)); /* some accept NULL, to destroy nothing */
}

static void try_table(void)
{
#define API(name, function) try_function(#name, offsetof(PJRT_Api, name), sizeof(name##_Args));
#define LIBRARY API
#define ERROR_API(name, function)
#define UNSUPPORTED(name) API(name, )
#include "plugin/api.def"
#undef API
#undef LIBRARY
#undef ERROR_API
#undef UNSUPPORTED
}

/* The functions of an extension from an offset on, none of which has large arguments. */
static void try_members(PJRT_Extension_Type type, size_t first, void *handle)
{
    const PJRT_Extension_Base *at = api->extension_start;
    char name[64];
    while (at && at->type != type)
        at = at->next;
    cr_assert_not_null(at, "no extension %d", (int)type);
    for (size_t offset = first; offset + WORD <= at->struct_size; offset += WORD) {
        snprintf(name, sizeof name, "extension %d, function at %zu", (int)type, offset);
        try_sizes(name, member(at, offset), (WORDS - 1) * WORD, handle);
    }
}

static void try_extension(PJRT_Extension_Type type, void *handle)
{
    try_members(type, sizeof(PJRT_Extension_Base), handle);
}

Test(misshapen_args, cpu, .init = open_cpu)
{
    try_table();
    try_extension(PJRT_Extension_Type_Layouts, NULL);
    try_extension(PJRT_Extension_Type_MemoryDescriptions, NULL);
    try_extension(PJRT_Extension_Type_FFI, NULL);
    try_members(PJRT_Extension_Type_CrossHostTransfers,
                offsetof(PJRT_CrossHostTransfers_Extension,
                         PJRT_Transfers_PJRT_Client_CrossHostReceiveBuffers),
                NULL);
}

static void *describe_topology(void)
{
    PJRT_TopologyDescription_Create_Args args = {
        .struct_size = PJRT_TopologyDescription_Create_Args_STRUCT_SIZE,
        .topology_name = "v5e:2x2",
        .topology_name_size = 7};
    cr_assert_null(api->PJRT_TopologyDescription_Create(&args));
    return args.topology;
}

/* Questions about a topology whose other inputs are zeros and NULL. */
Test(misshapen_args, tpu, .init = open_tpu)
{
    try_table();
    try_extension(PJRT_Extension_Type_TpuTopology, NULL);
    try_extension(PJRT_Extension_Type_TpuTopology, describe_topology());
}

/* Error functions have no error to return for their own arguments. */
Test(misshapen_args, errors, .init = open_cpu)
{
    PJRT_Error_Destroy_Args destroy = {.struct_size = PJRT_Error_Destroy_Args_STRUCT_SIZE};
    PJRT_Error_Message_Args message = {.struct_size = PJRT_Error_Message_Args_STRUCT_SIZE};
    api->PJRT_Error_Destroy(&destroy);
    api->PJRT_Error_Destroy(NULL);
    api->PJRT_Error_Message(&message);
    api->PJRT_Error_Message(NULL);
}
