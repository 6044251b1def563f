/* leaks_rules.c: area 21: what is repeated leaves nothing behind. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_buffers.h"

enum { COUNT = 1024 };
static float values[COUNT];

/* What a cycle uses. */
static PJRT_Buffer *shared;
static PJRT_LoadedExecutable *executable;
static PJRT_Memory *memory;

#define TRY_CYCLE(t, error)                                                                        \
    do {                                                                                           \
        if (!rule_need_ok(t, #error, (error)))                                                     \
            return false;                                                                          \
    } while (0)

/* ---- 21.1 Buffers and events ----------------------------------------------------------------- */

static bool make_buffer(struct rule_context *t)
{
    PJRT_Buffer *buffer;
    TRY_CYCLE(t, rule_upload_floats(t, values, COUNT, &buffer));
    DESTROY(t, Buffer, buffer, buffer);
    return true;
}

void rule_leaks_buffers(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 10000, make_buffer);
}

static bool download(struct rule_context *t)
{
    static float back[COUNT];
    TRY_CYCLE(t, rule_download(t, shared, back, sizeof back));
    return true;
}

void rule_leaks_downloads(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, values, COUNT, &shared));
    rule_repeat(t, 10000, download);
}

static bool copy(struct rule_context *t)
{
    ARGS(t, Buffer_CopyToMemory, args, .buffer = shared, .dst_memory = memory);
    TRY_CYCLE(t, CALL(t, Buffer_CopyToMemory, &args));
    TRY_CYCLE(t, buffer_await(t, args.dst_buffer)); /* copies under way are no leak */
    DESTROY(t, Buffer, buffer, args.dst_buffer);
    return true;
}

void rule_leaks_copies(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, CALL(t, Device_DefaultMemory, &home));
    memory = home.memory;
    NEED_OK(t, rule_upload_floats(t, values, COUNT, &shared));
    rule_repeat(t, 5000, copy);
}

static bool ask_event(struct rule_context *t)
{
    ARGS(t, Buffer_ReadyEvent, args, .buffer = shared);
    TRY_CYCLE(t, CALL(t, Buffer_ReadyEvent, &args));
    TRY_CYCLE(t, rule_await(t, args.event));
    return true;
}

void rule_leaks_ready_events(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, values, COUNT, &shared));
    rule_repeat(t, 20000, ask_event);
}

static void on_ready(PJRT_Error *error, void *user)
{
    rule_destroy_error(user, error);
}

static bool call_back(struct rule_context *t)
{
    ARGS(t, Buffer_ReadyEvent, get, .buffer = shared);
    TRY_CYCLE(t, CALL(t, Buffer_ReadyEvent, &get));
    ARGS(t, Event_OnReady, args, .event = get.event, .callback = on_ready, .user_arg = t);
    TRY_CYCLE(t, CALL(t, Event_OnReady, &args));
    TRY_CYCLE(t, rule_await(t, get.event));
    return true;
}

void rule_leaks_callbacks(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_OK(t, rule_upload_floats(t, values, COUNT, &shared));
    rule_repeat(t, 10000, call_back);
}

static bool delete_buffer(struct rule_context *t)
{
    PJRT_Buffer *buffer;
    TRY_CYCLE(t, rule_upload_floats(t, values, COUNT, &buffer));
    ARGS(t, Buffer_Delete, args, .buffer = buffer);
    TRY_CYCLE(t, CALL(t, Buffer_Delete, &args));
    DESTROY(t, Buffer, buffer, buffer);
    return true;
}

void rule_leaks_deleted_buffers(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 10000, delete_buffer);
}

static bool transfer(struct rule_context *t)
{
    static const int64_t dims[] = {COUNT};
    PJRT_ShapeSpec shape = {.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                            .dims = dims,
                            .num_dims = 1,
                            .element_type = PJRT_Buffer_Type_F32};
    ARGS(t, Client_CreateBuffersForAsyncHostToDevice, make, .client = t->client,
         .shape_specs = &shape, .num_shape_specs = 1, .memory = memory);
    TRY_CYCLE(t, CALL(t, Client_CreateBuffersForAsyncHostToDevice, &make));
    ARGS(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, get,
         .transfer_manager = make.transfer_manager);
    TRY_CYCLE(t, CALL(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get));
    ARGS(t, AsyncHostToDeviceTransferManager_TransferData, send,
         .transfer_manager = make.transfer_manager, .data = values, .transfer_size = sizeof values,
         .is_last_transfer = true);
    TRY_CYCLE(t, CALL(t, AsyncHostToDeviceTransferManager_TransferData, &send));
    TRY_CYCLE(t, rule_await(t, send.done_with_h2d_transfer));
    DESTROY(t, AsyncHostToDeviceTransferManager, transfer_manager, make.transfer_manager);
    DESTROY(t, Buffer, buffer, get.buffer_out);
    return true;
}

void rule_leaks_transfer_managers(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, CALL(t, Device_DefaultMemory, &home));
    memory = home.memory;
    rule_repeat(t, 5000, transfer);
}

static int64_t bytes_in_use(struct rule_context *t)
{
    ARGS(t, Device_MemoryStats, args, .device = t->device);
    return rule_need_ok(t, "PJRT_Device_MemoryStats", CALL(t, Device_MemoryStats, &args))
               ? args.bytes_in_use
               : -1;
}

void rule_leaks_device_memory(struct rule_context *t)
{
    enum { BUFFERS = 50 };
    PJRT_Buffer *buffers[BUFFERS];
    NEED_CLIENT(t);
    int64_t before = bytes_in_use(t);
    RULE_NEED_(before >= 0);
    for (int i = 0; i < BUFFERS; i++)
        NEED_OK(t, rule_upload_floats(t, values, COUNT, &buffers[i]));
    CHECK(t, bytes_in_use(t) >= before, "fewer bytes with %d buffers", (int)BUFFERS);
    for (int i = 0; i < BUFFERS; i++)
        DESTROY(t, Buffer, buffer, buffers[i]);
    int64_t after = bytes_in_use(t);
    if (after > before)
        rule_leak(t, "%lld bytes in use have become %lld", (long long)before, (long long)after);
}

/* ---- 21.2 Programs --------------------------------------------------------------------------- */

static PJRT_Buffer *arguments[2];

/* The program of `add` and its arguments. */
static bool prepare(struct rule_context *t)
{
    TRY_CYCLE(t, rule_compile_file(t, "add.mlirbc", &executable));
    for (int i = 0; i < 2; i++)
        TRY_CYCLE(t, rule_upload_floats(t, values, 4, &arguments[i]));
    return true;
}

static bool execute(struct rule_context *t)
{
    PJRT_Buffer *result;
    TRY_CYCLE(t, rule_execute(t, executable, arguments, 2, &result, 1));
    DESTROY(t, Buffer, buffer, result);
    return true;
}

void rule_leaks_executions(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_repeat(t, 5000, execute);
}

static bool compile(struct rule_context *t)
{
    PJRT_LoadedExecutable *again;
    TRY_CYCLE(t, rule_compile_file(t, "add.mlirbc", &again));
    DESTROY(t, LoadedExecutable, executable, again);
    return true;
}

void rule_leaks_compilations(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 100, compile);
}

static bool compile_new(struct rule_context *t)
{
    static int number;
    PJRT_LoadedExecutable *fresh;
    char text[512];
    snprintf(
        text, sizeof text,
        "func.func public @main(%%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %%c = \"stablehlo.constant\"() {value = dense<%d.0> : tensor<4xf32>} : () -> "
        "tensor<4xf32>\n"
        "  %%y = \"stablehlo.add\"(%%x, %%c) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n"
        "  \"func.return\"(%%y) : (tensor<4xf32>) -> ()\n}\n",
        number++);
    TRY_CYCLE(t, rule_compile_text(t, text, &fresh));
    DESTROY(t, LoadedExecutable, executable, fresh);
    return true;
}

void rule_leaks_new_programs(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 100, compile_new);
}

static bool fail_to_compile(struct rule_context *t)
{
    PJRT_LoadedExecutable *none;
    struct error *error = rule_compile_text(t, "func.func @main() { nothing", &none);
    CHECK(t, error, "nonsense compiles");
    error_free(error);
    return true;
}

void rule_leaks_failed_compilations(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 2000, fail_to_compile);
}

static bool fail_to_execute(struct rule_context *t)
{
    PJRT_Buffer *result;
    struct error *error = rule_execute(t, executable, arguments, 1, &result, 1);
    CHECK(t, error, "an execution without its second argument succeeds");
    error_free(error);
    return true;
}

void rule_leaks_failed_executions(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_repeat(t, 5000, fail_to_execute);
}

static bool ask(struct rule_context *t)
{
    ARGS(t, LoadedExecutable_GetExecutable, get, .loaded_executable = executable);
    TRY_CYCLE(t, CALL(t, LoadedExecutable_GetExecutable, &get));
    ARGS(t, Executable_Name, name, .executable = get.executable);
    ARGS(t, Executable_NumOutputs, outputs, .executable = get.executable);
    ARGS(t, Executable_GetCostAnalysis, cost, .executable = get.executable);
    TRY_CYCLE(t, CALL(t, Executable_Name, &name));
    TRY_CYCLE(t, CALL(t, Executable_NumOutputs, &outputs));
    error_free(CALL(t, Executable_GetCostAnalysis, &cost));
    DESTROY(t, Executable, executable, get.executable);
    return true;
}

void rule_leaks_questions(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_repeat(t, 10000, ask);
}

static struct error *load(struct rule_context *t, const PJRT_Executable_Serialize_Args *bytes)
{
    ARGS(t, Executable_DeserializeAndLoad, args, .client = t->client,
         .serialized_executable = bytes->serialized_bytes,
         .serialized_executable_size = bytes->serialized_bytes_size);
    TRY(CALL(t, Executable_DeserializeAndLoad, &args));
    DESTROY(t, LoadedExecutable, executable, args.loaded_executable);
    return NULL;
}

static bool serialize(struct rule_context *t)
{
    ARGS(t, LoadedExecutable_GetExecutable, get, .loaded_executable = executable);
    TRY_CYCLE(t, CALL(t, LoadedExecutable_GetExecutable, &get));
    ARGS(t, Executable_Serialize, bytes, .executable = get.executable);
    TRY_CYCLE(t, CALL(t, Executable_Serialize, &bytes));
    struct error *error = load(t, &bytes);
    bytes.serialized_executable_deleter(bytes.serialized_executable);
    DESTROY(t, Executable, executable, get.executable);
    TRY_CYCLE(t, error);
    return true;
}

void rule_leaks_serializations(struct rule_context *t)
{
    NEED_CLIENT(t);
    RULE_NEED_(prepare(t));
    rule_repeat(t, 200, serialize);
}

static bool make_context(struct rule_context *t)
{
    ARGS(t, ExecuteContext_Create, args, );
    TRY_CYCLE(t, CALL(t, ExecuteContext_Create, &args));
    DESTROY(t, ExecuteContext, context, args.context);
    return true;
}

void rule_leaks_execute_contexts(struct rule_context *t)
{
    NEED_CLIENT(t);
    rule_repeat(t, 20000, make_context);
}
