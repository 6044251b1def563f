/* transfers_rules.c: area 16, section 1: transfer managers. */
#include <limits.h>
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_buffers.h"

typedef PJRT_AsyncHostToDeviceTransferManager manager_t;
enum { COUNT = 256, MOST = 3, BYTES = COUNT * sizeof(float) };

/* ---- Calls ----------------------------------------------------------------------------------- */

static PJRT_Memory *home(struct rule_context *t)
{
    ARGS(t, Device_DefaultMemory, args, .device = t->device);
    CHECK_OK(t, CALL(t, Device_DefaultMemory, &args));
    return args.memory;
}

/* A manager of `count` buffers of f32[COUNT], and the buffers. */
static struct error *make(struct rule_context *t, size_t count, manager_t **out,
                          PJRT_Buffer *buffers[MOST])
{
    static const int64_t dims[] = {COUNT};
    PJRT_ShapeSpec shapes[MOST];
    for (size_t i = 0; i < MOST; i++)
        shapes[i] = (PJRT_ShapeSpec){.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                                     .dims = dims,
                                     .num_dims = 1,
                                     .element_type = PJRT_Buffer_Type_F32};
    ARGS(t, Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
         .shape_specs = shapes, .num_shape_specs = count, .memory = home(t));
    TRY(CALL(t, Client_CreateBuffersForAsyncHostToDevice, &args));
    *out = args.transfer_manager;
    for (size_t i = 0; i < count; i++) {
        ARGS(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, get, .transfer_manager = *out,
             .buffer_index = (int)i);
        TRY(CALL(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get));
        buffers[i] = get.buffer_out;
    }
    return NULL;
}

/* Declares a manager and its buffers. */
#define NEED_MANAGER(t, count, manager, buffers)                                                   \
    manager_t *manager;                                                                            \
    PJRT_Buffer *buffers[MOST];                                                                    \
    NEED_CLIENT(t);                                                                                \
    NEED_OK(t, make(t, count, &manager, buffers))

struct piece {
    int buffer;
    int64_t offset, size; /* bytes */
    bool last;
};

static struct error *transfer(struct rule_context *t, manager_t *manager, const void *data,
                              struct piece piece)
{
    ARGS(t, AsyncHostToDeviceTransferManager_TransferData, args, .transfer_manager = manager,
         .buffer_index = piece.buffer, .data = data, .offset = piece.offset,
         .transfer_size = piece.size, .is_last_transfer = piece.last);
    TRY(CALL(t, AsyncHostToDeviceTransferManager_TransferData, &args));
    return rule_await(t, args.done_with_h2d_transfer);
}

static void destroy(struct rule_context *t, manager_t *manager)
{
    DESTROY(t, AsyncHostToDeviceTransferManager, transfer_manager, manager);
}

static void fill(float *values, int first)
{
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)(first + i);
}

static bool is_ready(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_ReadyEvent, get, .buffer = buffer);
    if (!CHECK_OK(t, CALL(t, Buffer_ReadyEvent, &get)))
        return false;
    ARGS(t, Event_IsReady, ready, .event = get.event);
    CHECK_OK(t, CALL(t, Event_IsReady, &ready));
    DESTROY(t, Event, event, get.event);
    return ready.is_ready;
}

/* ---- Rules ----------------------------------------------------------------------------------- */

void rule_transfers_fill_buffers(struct rule_context *t)
{
    float values[COUNT];
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_fill_buffers_in_pieces(struct rule_context *t)
{
    float values[COUNT];
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    for (int64_t piece = 3; piece >= 0; piece--) {
        int64_t size = BYTES / 4, offset = piece * size;
        NEED_OK(t, transfer(t, manager, (char *)values + offset,
                            (struct piece){0, offset, size, piece == 0}));
    }
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_keep_buffers_pending(struct rule_context *t)
{
    float values[COUNT];
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    CHECK(t, !is_ready(t, buffers[0]), "ready before any transfer");
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, false}));
    CHECK(t, !is_ready(t, buffers[0]), "ready before the last transfer");
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, 4, true}));
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_keep_buffers_apart(struct rule_context *t)
{
    float values[COUNT], others[COUNT];
    fill(values, 1);
    fill(others, 1000);
    NEED_MANAGER(t, 2, manager, buffers);
    NEED_OK(t, transfer(t, manager, others, (struct piece){1, 0, BYTES, true}));
    CHECK(t, !is_ready(t, buffers[0]), "a buffer without a transfer is ready");
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
    rule_check_floats(t, buffers[1], others, COUNT);
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_describe_buffers(struct rule_context *t)
{
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, Buffer_ElementType, type, .buffer = buffers[0]);
    NEED_OK(t, CALL(t, Buffer_ElementType, &type));
    CHECK(t, type.type == PJRT_Buffer_Type_F32, "type %d", (int)type.type);
    ARGS(t, Buffer_Dimensions, dims, .buffer = buffers[0]);
    NEED_OK(t, CALL(t, Buffer_Dimensions, &dims));
    CHECK(t, dims.num_dims == 1 && dims.dims[0] == COUNT, "rank %zu", dims.num_dims);
    ARGS(t, Buffer_Memory, memory, .buffer = buffers[0]);
    NEED_OK(t, CALL(t, Buffer_Memory, &memory));
    CHECK(t, memory.memory == home(t), "another memory");
}

void rule_transfers_count_buffers(struct rule_context *t)
{
    NEED_MANAGER(t, 3, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_BufferCount, args, .transfer_manager = manager);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_BufferCount, &args));
    CHECK(t, args.buffer_count == 3, "%zu buffers", args.buffer_count);
}

void rule_transfers_size_buffers(struct rule_context *t)
{
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_BufferSize, args, .transfer_manager = manager);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_BufferSize, &args));
    CHECK(t, args.buffer_size >= (size_t)BYTES, "%zu bytes", args.buffer_size);
}

void rule_transfers_know_their_device(struct rule_context *t)
{
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_Device, args, .transfer_manager = manager);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_Device, &args));
    CHECK(t, args.device_out == t->device, "another device");
}

void rule_transfers_return_host_memory(struct rule_context *t)
{
    float values[COUNT], sent[COUNT];
    fill(values, 1);
    memcpy(sent, values, sizeof sent);
    NEED_MANAGER(t, 1, manager, buffers);
    NEED_OK(t, transfer(t, manager, sent, (struct piece){0, 0, BYTES, true}));
    memset(sent, 0xff, sizeof sent);
    rule_check_floats(t, buffers[0], values, COUNT);
}

static const char doubled[] = "func.func public @main(%x: tensor<256xf32>) -> tensor<256xf32> {\n"
                              "  %y = \"stablehlo.add\"(%x, %x) : (tensor<256xf32>, "
                              "tensor<256xf32>) -> tensor<256xf32>\n"
                              "  \"func.return\"(%y) : (tensor<256xf32>) -> ()\n"
                              "}\n";

void rule_transfers_let_programs_wait(struct rule_context *t)
{
    float values[COUNT], expected[COUNT];
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *result = NULL, **results = &result;
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    PJRT_Buffer *const *inputs = buffers;
    NEED_OK(t, rule_compile_text(t, doubled, &executable));
    PJRT_ExecuteOptions options = {.struct_size = FUNCTIONS_SIZE(ExecuteOptions, t->minor)};
    ARGS(t, LoadedExecutable_Execute, run, .executable = executable, .options = &options,
         .argument_lists = &inputs, .num_devices = 1, .num_args = 1, .output_lists = &results);
    NEED_OK(t, CALL(t, LoadedExecutable_Execute, &run));
    CHECK(t, !is_ready(t, result), "computed from an argument that is not there");
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
    for (int i = 0; i < COUNT; i++)
        expected[i] = 2 * values[i];
    rule_check_floats(t, result, expected, COUNT);
}

void rule_transfers_reject_unknown_buffers(struct rule_context *t)
{
    static const int wrong[] = {1, -1, INT_MAX, INT_MIN};
    float values[COUNT] = {0};
    NEED_MANAGER(t, 1, manager, buffers);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        CHECK_ERROR(t, transfer(t, manager, values, (struct piece){wrong[i], 0, 4, false}));
        ARGS(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, get, .transfer_manager = manager,
             .buffer_index = wrong[i]);
        CHECK_ERROR(t, CALL(t, AsyncHostToDeviceTransferManager_RetrieveBuffer, &get));
    }
}

void rule_transfers_reject_ranges_outside(struct rule_context *t)
{
    float values[COUNT];
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_BufferSize, args, .transfer_manager = manager);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_BufferSize, &args));
    int64_t size = (int64_t)args.buffer_size;
    const struct piece wrong[] = {{0, size, 4, false},     {0, size - 4, 8, false},
                                  {0, -4, 8, false},       {0, INT64_MAX - 2, 4, false},
                                  {0, 0, -4, false},       {0, INT64_MIN, 4, false},
                                  {0, 4, INT64_MAX, false}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_ERROR(t, transfer(t, manager, values, wrong[i]));
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_set_errors(struct rule_context *t)
{
    float back[COUNT];
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_SetBufferError, args, .transfer_manager = manager,
         .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost", .error_message_size = 4);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_SetBufferError, &args));
    CHECK_CODE(t, DATA_LOSS, rule_download(t, buffers[0], back, sizeof back));
}

void rule_transfers_leave_no_buffer_pending(struct rule_context *t)
{
    rule_time_limit(t, 20);
    NEED_MANAGER(t, 1, manager, buffers);
    destroy(t, manager);
    ARGS(t, Buffer_ReadyEvent, get, .buffer = buffers[0]);
    struct error *error = CALL(t, Buffer_ReadyEvent, &get);
    error_free(error ? error : rule_await(t, get.event));
}

void rule_transfers_can_be_destroyed_when_done(struct rule_context *t)
{
    float values[COUNT];
    fill(values, 1);
    NEED_MANAGER(t, 1, manager, buffers);
    NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
    destroy(t, manager);
    rule_check_floats(t, buffers[0], values, COUNT);
}

void rule_transfers_take_metadata(struct rule_context *t)
{
    const PJRT_NamedValue note = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                                  .name = "tag",
                                  .name_size = 3,
                                  .type = PJRT_NamedValue_kString,
                                  .string_value = "text",
                                  .value_size = 4};
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_AddMetadata, args, .transfer_manager = manager,
         .transfer_metadata = &note, .num_metadata = 1);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_AddMetadata, &args));
}

void rule_transfers_take_literals(struct rule_context *t)
{
    static const int64_t dims[] = {COUNT};
    float values[COUNT];
    fill(values, 1);
    PJRT_Buffer_MemoryLayout layout = sample_layout();
    NEED_MANAGER(t, 1, manager, buffers);
    ARGS(t, AsyncHostToDeviceTransferManager_TransferLiteral, args, .transfer_manager = manager,
         .data = values, .shape_dims = dims, .shape_num_dims = 1,
         .shape_element_type = PJRT_Buffer_Type_F32, .shape_layout = &layout);
    NEED_OK(t, CALL(t, AsyncHostToDeviceTransferManager_TransferLiteral, &args));
    NEED_OK(t, rule_await(t, args.done_with_h2d_transfer));
    rule_check_floats(t, buffers[0], values, COUNT);
}

static void fill_in_thread(struct rule_context *t, int i)
{
    float values[COUNT];
    manager_t *manager;
    PJRT_Buffer *buffers[MOST];
    fill(values, 1000 * i);
    for (int round = 0; round < 20; round++) {
        NEED_OK(t, make(t, 1, &manager, buffers));
        NEED_OK(t, transfer(t, manager, values, (struct piece){0, 0, BYTES, true}));
        destroy(t, manager);
        rule_check_floats(t, buffers[0], values, COUNT);
        DESTROY(t, Buffer, buffer, buffers[0]);
    }
}

void rule_transfers_are_independent(struct rule_context *t)
{
    NEED_CLIENT(t);
    NEED_FUNCTION(t, Client_CreateBuffersForAsyncHostToDevice);
    rule_threads(t, fill_in_thread);
}
