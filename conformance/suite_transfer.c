/* suite_transfer.c: buffers that are filled in chunks, promised, or conditionally donated. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { COUNT = 1024 };

static PJRT_Memory *home(struct test_context *t)
{
    ABI_ARGS(Device_DefaultMemory, args, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &args));
    return args.memory;
}

static void check_values(struct test_context *t, PJRT_Buffer *buffer)
{
    static float back[COUNT];
    memset(back, 0, sizeof back);
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    for (size_t i = 0; i < COUNT; i++)
        CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, i), "element %zu is %g", i,
              (double)back[i]);
}

static bool is_ready(struct test_context *t, PJRT_Buffer *buffer)
{
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = buffer);
    ABI_ARGS(Event_IsReady, is, .event = NULL);
    if (CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &ready))) {
        is.event = ready.event;
        CHECK_OK(t, ABI_CALL(t->api, Event_IsReady, &is));
        ABI_DESTROY(t->api, Event, event, ready.event);
    }
    return is.is_ready;
}

/* ---- Transfer managers ----------------------------------------------------------------------- */

typedef PJRT_AsyncHostToDeviceTransferManager manager_t;

/* A manager of `count` buffers of f32[COUNT]. */
static struct error *make(struct test_context *t, size_t count, manager_t **out)
{
    static const int64_t dims[] = {COUNT};
    PJRT_ShapeSpec shapes[2];
    for (size_t i = 0; i < 2; i++)
        shapes[i] = (PJRT_ShapeSpec){.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                                     .dims = dims,
                                     .num_dims = 1,
                                     .element_type = PJRT_Buffer_Type_F32};
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
             .shape_specs = shapes, .num_shape_specs = count, .memory = home(t));
    *out = NULL;
    TRY(ABI_CALL(t->api, Client_CreateBuffersForAsyncHostToDevice, &args));
    *out = args.transfer_manager;
    return NULL;
}

static struct error *retrieve(struct test_context *t, manager_t *manager, int index,
                              PJRT_Buffer **out)
{
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, args, .transfer_manager = manager,
             .buffer_index = index);
    *out = NULL;
    TRY(ABI_CALL(t->api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &args));
    *out = args.buffer_out;
    return NULL;
}

static struct error *transfer(struct test_context *t, manager_t *manager, int index,
                              const float *from, int64_t offset, int64_t size, bool last)
{
    ABI_ARGS(AsyncHostToDeviceTransferManager_TransferData, args, .transfer_manager = manager,
             .buffer_index = index, .data = from, .offset = offset, .transfer_size = size,
             .is_last_transfer = last);
    TRY(ABI_CALL(t->api, AsyncHostToDeviceTransferManager_TransferData, &args));
    return abi_await(t->api, args.done_with_h2d_transfer);
}

static void destroy(struct test_context *t, manager_t *manager)
{
    ABI_DESTROY(t->api, AsyncHostToDeviceTransferManager, transfer_manager, manager);
}

static void wrong_pieces(struct test_context *t)
{
    static float values[COUNT];
    manager_t *manager;
    PJRT_Buffer *buffer, *twice;
    NEED_SUPPORTED(t, make(t, 1, &manager));
    NEED_OK(t, retrieve(t, manager, 0, &buffer));
    CHECK_CODE(t, FAILED_PRECONDITION, retrieve(t, manager, 0, &twice));
    CHECK_CODE(t, INVALID_ARGUMENT, retrieve(t, manager, 1, &twice));
    CHECK_CODE(t, INVALID_ARGUMENT, retrieve(t, manager, -1, &twice));
    CHECK_CODE(t, INVALID_ARGUMENT, transfer(t, manager, 2, values, 0, 4, false));
    CHECK_CODE(t, INVALID_ARGUMENT, transfer(t, manager, 0, values, sizeof values, 4, false));
    CHECK_CODE(t, INVALID_ARGUMENT, transfer(t, manager, 0, values, -4, 8, false));
    CHECK_CODE(t, INVALID_ARGUMENT, transfer(t, manager, 0, values, INT64_MAX - 2, 4, false));
    CHECK_CODE(t, INVALID_ARGUMENT, transfer(t, manager, 0, values, 0, -4, false));
    CHECK_OK(t, transfer(t, manager, 0, values, 0, sizeof values, true));
    CHECK_CODE(t, FAILED_PRECONDITION, transfer(t, manager, 0, values, 0, 4, true));
    destroy(t, manager);
    abi_buffer_destroy(t->api, buffer);
}

/* A client that gives up makes its buffers errors instead of leaving them pending forever. */
static void given_up(struct test_context *t)
{
    manager_t *manager;
    PJRT_Buffer *buffers[2];
    float back[COUNT];
    NEED_SUPPORTED(t, make(t, 2, &manager));
    for (int i = 0; i < 2; i++)
        NEED_OK(t, retrieve(t, manager, i, &buffers[i]));
    ABI_ARGS(AsyncHostToDeviceTransferManager_SetBufferError, wrong, .transfer_manager = manager,
             .buffer_index = 0, .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4);
    CHECK_OK(t, ABI_CALL(t->api, AsyncHostToDeviceTransferManager_SetBufferError, &wrong));
    CHECK_CODE(t, DATA_LOSS, abi_download(t->api, buffers[0], back, sizeof back));
    destroy(t, manager);
    CHECK_CODE(t, CANCELLED, abi_download(t->api, buffers[1], back, sizeof back));
    abi_buffer_destroy(t->api, buffers[0]);
    abi_buffer_destroy(t->api, buffers[1]);
}

/* ---- Promises -------------------------------------------------------------------------------- */

static struct error *promise(struct test_context *t, PJRT_Buffer **alias,
                             PJRT_FulfillAliasBufferCallback **fulfill)
{
    static const int64_t dims[] = {4};
    ABI_ARGS(Client_CreateAliasBuffer, args, .client = t->client, .memory = home(t),
             .shape_dims = dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    TRY(ABI_CALL(t->api, Client_CreateAliasBuffer, &args));
    *alias = args.alias_buffer;
    *fulfill = args.fulfill_alias_buffer_cb;
    return NULL;
}

/* A program runs on a promised argument once the promise is fulfilled. */
static void alias(struct test_context *t)
{
    const int64_t four[] = {4}, five[] = {5};
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *promised, *real, *other, *result = NULL;
    PJRT_FulfillAliasBufferCallback *fulfill;
    NEED_SUPPORTED(t, promise(t, &promised, &fulfill));
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, four, &real));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, five, &other));
    PJRT_Buffer *pair[] = {promised, real}, *const *inputs = pair, **outputs = &result;
    PJRT_ExecuteOptions options = {.struct_size = PJRT_ExecuteOptions_STRUCT_SIZE};
    ABI_ARGS(LoadedExecutable_Execute, run, .executable = executable, .options = &options,
             .argument_lists = &inputs, .num_devices = 1, .num_args = 2, .output_lists = &outputs);
    NEED_OK(t, ABI_CALL(t->api, LoadedExecutable_Execute, &run));
    CHECK(t, !is_ready(t, result), "computed from an argument that is not there");
    ABI_ARGS(Client_FulfillAliasBuffer, wrong, .client = t->client, .buffer = other,
             .fulfill_alias_buffer_cb = fulfill);
    CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Client_FulfillAliasBuffer, &wrong));
    ABI_ARGS(Client_FulfillAliasBuffer, keep, .client = t->client, .buffer = real,
             .fulfill_alias_buffer_cb = fulfill);
    CHECK_OK(t, ABI_CALL(t->api, Client_FulfillAliasBuffer, &keep));
    CHECK_OK(t, test_context_compare(t, PROGRAM_add, &result));
    PJRT_Buffer *const all[] = {promised, real, other, result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        abi_buffer_destroy(t->api, all[i]);
    abi_executable_destroy(t->api, executable);
}

static void broken_promise(struct test_context *t)
{
    PJRT_Buffer *promised;
    PJRT_FulfillAliasBufferCallback *fulfill;
    float back[4];
    NEED_SUPPORTED(t, promise(t, &promised, &fulfill));
    ABI_ARGS(Client_FulfillAliasBuffer, args, .client = t->client,
             .status_code = PJRT_Error_Code_ABORTED, .error_message = "never",
             .error_message_size = 5, .fulfill_alias_buffer_cb = fulfill);
    CHECK_OK(t, ABI_CALL(t->api, Client_FulfillAliasBuffer, &args));
    CHECK_CODE(t, ABORTED, abi_download(t->api, promised, back, sizeof back));
    abi_buffer_destroy(t->api, promised);
}

/* A copy whose destination is provided later. */
static void raw_future(struct test_context *t)
{
    const int64_t dims[] = {COUNT};
    float back[16];
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_CopyRawToHostFuture, args, .buffer = buffer, .offset = 64,
             .transfer_size = sizeof back);
    struct error *error = ABI_CALL(t->api, Buffer_CopyRawToHostFuture, &args);
    if (!error) {
        PJRT_Buffer_CopyRawToHostFuture_Callback_Args ready = {
            .struct_size = PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE,
            .callback_data = args.callback_data,
            .dst = back};
        abi_buffer_destroy(t->api, buffer);
        buffer = NULL;
        args.future_ready_callback(&ready);
        CHECK_OK(t, abi_await(t->api, args.event));
        for (size_t i = 0; i < 16; i++)
            CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, 16 + i), "element %zu is %g",
                  i, (double)back[i]);
    }
    if (buffer)
        abi_buffer_destroy(t->api, buffer);
    NEED_SUPPORTED(t, error);
}

static void donated_with_dependency(struct test_context *t)
{
    const int64_t dims[] = {COUNT};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_DonateWithControlDependency, args, .buffer = buffer);
    struct error *error = ABI_CALL(t->api, Buffer_DonateWithControlDependency, &args);
    if (!error) {
        CHECK(t, test_context_is_deleted(t, buffer), "a donated buffer is not deleted");
        CHECK(t, !is_ready(t, args.out_buffer), "ready before its condition");
        PJRT_Buffer_DonateWithControlDependency_Callback_Args ready = {
            .struct_size = PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE,
            .callback_data = args.callback_data};
        args.dependency_ready_callback(&ready);
        check_values(t, args.out_buffer);
        abi_buffer_destroy(t->api, args.out_buffer);
    }
    abi_buffer_destroy(t->api, buffer);
    NEED_SUPPORTED(t, error);
}

/* ---- Mapped memory --------------------------------------------------------------------------- */

static struct error *map(struct test_context *t, void *data, size_t size)
{
    ABI_ARGS(Client_DmaMap, args, .client = t->client, .data = data, .size = size);
    return ABI_CALL(t->api, Client_DmaMap, &args);
}

static struct error *unmap(struct test_context *t, void *data)
{
    ABI_ARGS(Client_DmaUnmap, args, .client = t->client, .data = data);
    return ABI_CALL(t->api, Client_DmaUnmap, &args);
}

static void dma(struct test_context *t)
{
    enum { SIZE = 1 << 16 };
    char *bytes = aligned_alloc(4096, SIZE), *inside = bytes + 4096;
    struct error *error = map(t, bytes, SIZE);
    if (!error) {
        CHECK_CODE(t, ALREADY_EXISTS, map(t, inside, 4096));
        CHECK_CODE(t, ALREADY_EXISTS, map(t, bytes + SIZE - 1, 1));
        CHECK_CODE(t, NOT_FOUND, unmap(t, inside));
        CHECK_OK(t, unmap(t, bytes));
        CHECK_CODE(t, NOT_FOUND, unmap(t, bytes));
        CHECK_OK(t, map(t, inside, 4096));
        CHECK_OK(t, map(t, bytes, 4096)); /* neighbors */
        CHECK_OK(t, unmap(t, inside));
        CHECK_OK(t, unmap(t, bytes));
        CHECK_CODE(t, INVALID_ARGUMENT, map(t, bytes, 0));
        CHECK_CODE(t, INVALID_ARGUMENT, map(t, NULL, 4096));
        CHECK_CODE(t, INVALID_ARGUMENT, map(t, bytes, SIZE_MAX - 1));
        CHECK_ERROR(t, map(t, (void *)(uintptr_t)4096, 4096)); /* not mapped */
    }
    free(bytes);
    NEED_SUPPORTED(t, error);
}

static const struct test_context_case cases[] = {
    {"wrong_pieces", wrong_pieces, STAGE_CLIENT, 0},
    {"given_up", given_up, STAGE_CLIENT, 0},
    {"alias", alias, STAGE_CLIENT, 0},
    {"broken_promise", broken_promise, STAGE_CLIENT, 0},
    {"raw_future", raw_future, STAGE_CLIENT, 0},
    {"donated_with_dependency", donated_with_dependency, STAGE_CLIENT, 0},
    {"dma", dma, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_transfer = {"transfer", cases};
