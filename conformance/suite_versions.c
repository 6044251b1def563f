/* suite_versions.c: callers built with an older or newer header: their structs are shorter or
 * longer than Gantry's, and the plugin must not access memory beyond them. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { POISON = 0xa5 };

/* PyTorch/XLA 2.9 passes 112 bytes. */
static void old_memory_stats(struct test_context *t)
{
    PJRT_LoadedExecutable *loaded;
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &loaded));
    ABI_ARGS(LoadedExecutable_GetExecutable, get, .loaded_executable = loaded);
    NEED_OK(t, ABI_CALL(t->api, LoadedExecutable_GetExecutable, &get));
    PJRT_Executable_GetCompiledMemoryStats_Args args;
    memset(&args, POISON, sizeof args);
    args.struct_size = 112;
    args.extension_start = NULL;
    args.executable = get.executable;
    struct error *error = ABI_CALL(t->api, Executable_GetCompiledMemoryStats, &args);
    for (size_t i = 112; i < sizeof args; i++)
        CHECK(t, ((unsigned char *)&args)[i] == POISON, "byte %zu behind the struct was written",
              i);
    ABI_DESTROY(t->api, Executable, executable, get.executable);
    abi_executable_destroy(t->api, loaded);
    NEED_SUPPORTED(t, error);
    CHECK(t, args.argument_size_in_bytes >= 32, "arguments of %lld bytes",
          (long long)args.argument_size_in_bytes);
}

/* Options of 80 bytes (PyTorch/XLA) and of 144 bytes (JAX), each followed by garbage. */
static void execute_options(struct test_context *t)
{
    static const size_t sizes[] = {80, PJRT_ExecuteOptions_STRUCT_SIZE, 144};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *arguments[5], *result = NULL;
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    NEED_OK(t, test_context_arguments(t, PROGRAM_add, arguments));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        unsigned char options[512];
        memset(options, 0, sizes[i]);
        memset(options + sizes[i], POISON, sizeof options - sizes[i]);
        memcpy(options, &sizes[i], sizeof sizes[i]);
        if (sizes[i] > PJRT_ExecuteOptions_STRUCT_SIZE)
            options[PJRT_ExecuteOptions_STRUCT_SIZE] = 1; /* as JAX 0.10 sets it */
        PJRT_Buffer *const *inputs = arguments, **outputs = &result;
        ABI_ARGS(LoadedExecutable_Execute, args, .executable = executable,
                 .options = (PJRT_ExecuteOptions *)(void *)options, .argument_lists = &inputs,
                 .num_devices = 1, .num_args = 2, .output_lists = &outputs);
        if (CHECK_OK(t, ABI_CALL(t->api, LoadedExecutable_Execute, &args))) {
            CHECK_OK(t, test_context_compare(t, PROGRAM_add, &result));
            abi_buffer_destroy(t->api, result);
        }
    }
    for (int i = 0; i < 2; i++)
        abi_buffer_destroy(t->api, arguments[i]);
    abi_executable_destroy(t->api, executable);
}

/* go-xla leaves garbage in extension_start: only Compile and Execute may read it. */
static void garbage_extensions(struct test_context *t)
{
    PJRT_Extension_Base *garbage = (PJRT_Extension_Base *)(uintptr_t)8;
    const int64_t dims[] = {4};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = buffer, .extension_start = garbage);
    NEED_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &ready));
    ABI_ARGS(Event_Await, await, .event = ready.event, .extension_start = garbage);
    CHECK_OK(t, ABI_CALL(t->api, Event_Await, &await));
    ABI_ARGS(Event_Destroy, destroy, .event = ready.event, .extension_start = garbage);
    CHECK_OK(t, ABI_CALL(t->api, Event_Destroy, &destroy));
    ABI_ARGS(Client_PlatformName, name, .client = t->client, .extension_start = garbage);
    CHECK_OK(t, ABI_CALL(t->api, Client_PlatformName, &name));
    ABI_ARGS(Buffer_Destroy, end, .buffer = buffer, .extension_start = garbage);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Destroy, &end));
}

/* A client with a newer header passes unknown extensions to Compile and Execute. */
static void unknown_extensions(struct test_context *t)
{
    PJRT_Extension_Base unknown = {sizeof unknown, (PJRT_Extension_Type)1000, NULL};
    char *code;
    size_t size;
    NEED_OK(t, test_context_program_bytes(t, PROGRAM_add, ".mlirbc", &code, &size));
    PJRT_Program program = {.struct_size = PJRT_Program_STRUCT_SIZE,
                            .code = code,
                            .code_size = size,
                            .format = "mlir",
                            .format_size = 4};
    ABI_ARGS(Client_Compile, args, .client = t->client, .program = &program,
             .extension_start = &unknown);
    if (CHECK_OK(t, ABI_CALL(t->api, Client_Compile, &args)))
        abi_executable_destroy(t->api, args.executable);
    free(code);
}

static const struct test_context_case cases[] = {
    {"old_memory_stats", old_memory_stats, STAGE_CLIENT, 0},
    {"execute_options", execute_options, STAGE_CLIENT, 0},
    {"garbage_extensions", garbage_extensions, STAGE_CLIENT, 0},
    {"unknown_extensions", unknown_extensions, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_versions = {"versions", cases};
