/* suite_versions.c: callers built with an older or newer header: their structs are shorter or
 * longer than Gantry's, and the plugin must not access memory beyond them. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { TAIL = 64, POISON = 0xa5 };

/* Arguments with a poisoned tail, as from a newer header. */
struct longer {
    size_t size;
    unsigned char bytes[512];
};

static void *lengthen(struct longer *longer, const void *args, size_t size)
{
    longer->size = size;
    memset(longer->bytes, POISON, sizeof longer->bytes);
    memcpy(longer->bytes, args, size);
    size_t declared = size + TAIL;
    memcpy(longer->bytes, &declared, sizeof declared); /* struct_size */
    return longer->bytes;
}

static bool tail_is_whole(const struct longer *longer)
{
    for (size_t i = longer->size; i < sizeof longer->bytes; i++)
        if (longer->bytes[i] != POISON)
            return false;
    return true;
}

/* Calls with a longer struct; outputs are copied back to `args`. */
#define CALL_LONGER(Function, args)                                                                \
    do {                                                                                           \
        struct longer longer;                                                                      \
        void *bytes = lengthen(&longer, &(args), PJRT_##Function##_Args_STRUCT_SIZE);              \
        CHECK_OK(t, ABI_CALL(t->api, Function, (PJRT_##Function##_Args *)bytes));                  \
        memcpy(&(args), bytes, PJRT_##Function##_Args_STRUCT_SIZE);                                \
        CHECK(t, tail_is_whole(&longer), #Function " writes behind the struct it knows");          \
    } while (0)

static void newer_callers(struct test_context *t)
{
    ABI_ARGS(Client_PlatformName, name, .client = t->client);
    CALL_LONGER(Client_PlatformName, name);
    CHECK(t, name.platform_name_size, "no platform name");
    ABI_ARGS(Client_Devices, devices, .client = t->client);
    CALL_LONGER(Client_Devices, devices);
    CHECK(t, devices.num_devices, "no devices");
    ABI_ARGS(Device_MemoryStats, stats, .device = t->device);
    CALL_LONGER(Device_MemoryStats, stats);
    ABI_ARGS(Plugin_Attributes, attributes, );
    CALL_LONGER(Plugin_Attributes, attributes);
    ABI_ARGS(Client_Create, create, );
    CALL_LONGER(Client_Create, create);
    ABI_ARGS(Client_Destroy, destroy, .client = create.client);
    CALL_LONGER(Client_Destroy, destroy);
}

/* A struct that ends before a required field is rejected and not written. */
#define CALL_SHORT(Function, args, size)                                                           \
    do {                                                                                           \
        (args).struct_size = (size);                                                               \
        CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Function, &(args)));                      \
    } while (0)

static void too_short(struct test_context *t)
{
    ABI_ARGS(Client_PlatformName, name, .client = t->client);
    CALL_SHORT(Client_PlatformName, name, 0);
    CALL_SHORT(Client_PlatformName, name, sizeof(size_t));
    CALL_SHORT(Client_PlatformName, name, offsetof(PJRT_Client_PlatformName_Args, platform_name));
    CHECK(t, !name.platform_name, "written past the caller's struct");
    ABI_ARGS(Client_Devices, devices, .client = t->client);
    CALL_SHORT(Client_Devices, devices, offsetof(PJRT_Client_Devices_Args, devices));
    CHECK(t, !devices.devices, "written past the caller's struct");
    ABI_ARGS(Client_Create, create, );
    CALL_SHORT(Client_Create, create, offsetof(PJRT_Client_Create_Args, client));
    CHECK(t, !create.client, "written past the caller's struct");
    ABI_ARGS(Client_Compile, compile, .client = t->client);
    CALL_SHORT(Client_Compile, compile, offsetof(PJRT_Client_Compile_Args, executable));
}

/* In an older version, Client_Create ended with `client`. */
static void old_client_create(struct test_context *t)
{
    PJRT_Client_Create_Args *args = malloc(sizeof *args);
    size_t old = offsetof(PJRT_Client_Create_Args, kv_try_get_callback);
    memset(args, POISON, sizeof *args); /* the key-value callbacks too: they must be ignored */
    args->struct_size = old;
    args->extension_start = NULL;
    args->create_options = NULL;
    args->num_options = 0;
    if (CHECK_OK(t, ABI_CALL(t->api, Client_Create, args)))
        abi_client_destroy(t->api, args->client);
    for (size_t i = old; i < sizeof *args; i++)
        CHECK(t, ((unsigned char *)args)[i] == POISON, "byte %zu behind the struct was written", i);
    free(args);
}

/* The struct size in header 0.54 excludes its last field, which has always been there. */
static void old_plugin_attributes(struct test_context *t)
{
    ABI_ARGS(Plugin_Attributes, args, );
    args.struct_size = offsetof(PJRT_Plugin_Attributes_Args, num_attributes);
    NEED_OK(t, ABI_CALL(t->api, Plugin_Attributes, &args));
    CHECK(t, args.attributes && args.num_attributes, "%zu attributes", args.num_attributes);
}

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
    {"newer_callers", newer_callers, STAGE_CLIENT, 0},
    {"too_short", too_short, STAGE_CLIENT, 0},
    {"old_client_create", old_client_create, STAGE_CLIENT, 0},
    {"old_plugin_attributes", old_plugin_attributes, STAGE_CLIENT, 0},
    {"old_memory_stats", old_memory_stats, STAGE_CLIENT, 0},
    {"execute_options", execute_options, STAGE_CLIENT, 0},
    {"garbage_extensions", garbage_extensions, STAGE_CLIENT, 0},
    {"unknown_extensions", unknown_extensions, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_versions = {"versions", cases};
