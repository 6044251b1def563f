/* suite_misuse.c: invalid transfers: ranges outside a buffer, objects of another client, deleted
 * buffers, errors in a chain. Each returns an error with a code and does not affect other
 * operations. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { COUNT = 64, BYTES = COUNT * 4 };
static const int64_t dims[] = {COUNT};

static PJRT_Memory *home_of(struct test_context *t, PJRT_Device *device)
{
    ABI_ARGS(Device_DefaultMemory, args, .device = device);
    CHECK_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &args));
    return args.memory;
}

static PJRT_Buffer *upload(struct test_context *t)
{
    PJRT_Buffer *buffer = NULL;
    CHECK_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    return buffer;
}

static void check_values(struct test_context *t, PJRT_Buffer *buffer)
{
    float back[COUNT];
    memset(back, 0, sizeof back);
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    for (size_t i = 0; i < COUNT; i++)
        CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, i), "element %zu is %g", i,
              (double)back[i]);
}

/* ---- Calls, discarding their results --------------------------------------------------------- */

static struct error *raw_to_host(struct test_context *t, PJRT_Buffer *buffer, void *to,
                                 int64_t offset, int64_t size)
{
    ABI_ARGS(Buffer_CopyRawToHost, args, .buffer = buffer, .dst = to, .offset = offset,
             .transfer_size = size);
    TRY(ABI_CALL(t->api, Buffer_CopyRawToHost, &args));
    return abi_await(t->api, args.event);
}

static struct error *raw_to_host_later(struct test_context *t, PJRT_Buffer *buffer, void *to,
                                       int64_t offset, int64_t size)
{
    ABI_ARGS(Buffer_CopyRawToHostFuture, args, .buffer = buffer, .offset = offset,
             .transfer_size = size);
    TRY(ABI_CALL(t->api, Buffer_CopyRawToHostFuture, &args));
    PJRT_Buffer_CopyRawToHostFuture_Callback_Args ready = {
        .struct_size = PJRT_Buffer_CopyRawToHostFuture_Callback_Args_STRUCT_SIZE,
        .callback_data = args.callback_data,
        .dst = to};
    args.future_ready_callback(&ready);
    return abi_await(t->api, args.event);
}

static struct error *to_memory(struct test_context *t, PJRT_Buffer *buffer, PJRT_Memory *memory)
{
    ABI_ARGS(Buffer_CopyToMemory, args, .buffer = buffer, .dst_memory = memory);
    TRY(ABI_CALL(t->api, Buffer_CopyToMemory, &args));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = args.dst_buffer);
    struct error *error = ABI_CALL(t->api, Buffer_ReadyEvent, &ready);
    if (!error)
        error = abi_await(t->api, ready.event);
    abi_buffer_destroy(t->api, args.dst_buffer);
    return error;
}

static struct error *to_device(struct test_context *t, PJRT_Buffer *buffer, PJRT_Device *device)
{
    ABI_ARGS(Buffer_CopyToDevice, args, .buffer = buffer, .dst_device = device);
    TRY(ABI_CALL(t->api, Buffer_CopyToDevice, &args));
    abi_buffer_destroy(t->api, args.dst_buffer);
    return NULL;
}

static struct error *bitcast(struct test_context *t, PJRT_Buffer *buffer)
{
    ABI_ARGS(Buffer_Bitcast, args, .buffer = buffer, .element_type = PJRT_Buffer_Type_S32,
             .dims = dims, .num_dims = 1);
    TRY(ABI_CALL(t->api, Buffer_Bitcast, &args));
    abi_buffer_destroy(t->api, args.out_buffer);
    return NULL;
}

static struct error *manager_of(struct test_context *t, PJRT_Memory *memory,
                                PJRT_AsyncHostToDeviceTransferManager **out)
{
    PJRT_ShapeSpec spec = {.struct_size = PJRT_ShapeSpec_STRUCT_SIZE,
                           .dims = dims,
                           .num_dims = 1,
                           .element_type = PJRT_Buffer_Type_F32};
    ABI_ARGS(Client_CreateBuffersForAsyncHostToDevice, args, .client = t->client,
             .shape_specs = &spec, .num_shape_specs = 1, .memory = memory);
    *out = NULL;
    TRY(ABI_CALL(t->api, Client_CreateBuffersForAsyncHostToDevice, &args));
    *out = args.transfer_manager;
    return NULL;
}

static struct error *send(struct test_context *t, PJRT_AsyncHostToDeviceTransferManager *manager,
                          const void *data, int64_t offset, int64_t size, bool last)
{
    ABI_ARGS(AsyncHostToDeviceTransferManager_TransferData, args, .transfer_manager = manager,
             .data = data, .offset = offset, .transfer_size = size, .is_last_transfer = last);
    TRY(ABI_CALL(t->api, AsyncHostToDeviceTransferManager_TransferData, &args));
    return abi_await(t->api, args.done_with_h2d_transfer);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static const struct {
    int64_t offset, size;
} wrong_ranges[] = {{-4, 8},
                    {0, BYTES + 1},
                    {BYTES, 1},
                    {BYTES - 3, 4},
                    {BYTES + 1, 0},
                    {4, -4},
                    {INT64_MAX, INT64_MAX},
                    {INT64_MIN, INT64_MIN},
                    {INT64_MAX - 2, 8},
                    {8, INT64_MAX - 2},
                    {-1, 1}};
enum { WRONG_RANGES = sizeof wrong_ranges / sizeof *wrong_ranges };

static void ranges_to_host(struct test_context *t)
{
    float back[COUNT];
    PJRT_Buffer *buffer = upload(t);
    for (size_t i = 0; i < WRONG_RANGES; i++) {
        int64_t offset = wrong_ranges[i].offset, size = wrong_ranges[i].size;
        CHECK_CODE(t, INVALID_ARGUMENT, raw_to_host(t, buffer, back, offset, size));
        CHECK_CODE(t, INVALID_ARGUMENT, raw_to_host_later(t, buffer, back, offset, size));
    }
    CHECK_CODE(t, INVALID_ARGUMENT, raw_to_host(t, buffer, NULL, 0, 4));
    CHECK_CODE(t, INVALID_ARGUMENT, raw_to_host_later(t, buffer, NULL, 0, 4));
    CHECK_OK(t, raw_to_host(t, buffer, back, BYTES, 0));
    CHECK_OK(t, raw_to_host(t, buffer, NULL, 0, 0));
    check_values(t, buffer);
    abi_buffer_destroy(t->api, buffer);
}

/* A rejected chunk does not count: the buffer still waits for its last chunk. */
static void ranges_from_host(struct test_context *t)
{
    float values[COUNT];
    PJRT_AsyncHostToDeviceTransferManager *manager;
    for (size_t i = 0; i < COUNT; i++)
        values[i] = (float)test_context_value(DTYPE_F32, i);
    NEED_SUPPORTED(t, manager_of(t, home_of(t, t->device), &manager));
    for (size_t i = 0; i < WRONG_RANGES; i++)
        CHECK_CODE(t, INVALID_ARGUMENT,
                   send(t, manager, values, wrong_ranges[i].offset, wrong_ranges[i].size, true));
    CHECK_CODE(t, INVALID_ARGUMENT, send(t, manager, NULL, 0, 4, true));
    CHECK_OK(t, send(t, manager, values + 16, 64, BYTES - 64, false));
    CHECK_OK(t, send(t, manager, NULL, BYTES, 0, false));
    CHECK_OK(t, send(t, manager, values, 0, 64, true));
    CHECK_CODE(t, FAILED_PRECONDITION, send(t, manager, values, 0, 4, false));
    ABI_ARGS(AsyncHostToDeviceTransferManager_RetrieveBuffer, args, .transfer_manager = manager);
    if (CHECK_OK(t, ABI_CALL(t->api, AsyncHostToDeviceTransferManager_RetrieveBuffer, &args))) {
        check_values(t, args.buffer_out);
        abi_buffer_destroy(t->api, args.buffer_out);
    }
    ABI_DESTROY(t->api, AsyncHostToDeviceTransferManager, transfer_manager, manager);
}

/* ---- Other clients --------------------------------------------------------------------------- */

static struct error *host_buffer(struct test_context *t, PJRT_Device *device, PJRT_Memory *memory)
{
    static const float values[COUNT];
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = t->client, .data = values,
             .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = 1, .device = device,
             .memory = memory);
    TRY(ABI_CALL(t->api, Client_BufferFromHostBuffer, &args));
    abi_buffer_destroy(t->api, args.buffer);
    return abi_await(t->api, args.done_with_host_buffer);
}

static struct error *uninitialized(struct test_context *t, PJRT_Device *device, PJRT_Memory *memory)
{
    ABI_ARGS(Client_CreateUninitializedBuffer, args, .client = t->client, .shape_dims = dims,
             .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .device = device,
             .memory = memory);
    TRY(ABI_CALL(t->api, Client_CreateUninitializedBuffer, &args));
    abi_buffer_destroy(t->api, args.buffer);
    return NULL;
}

static struct error *error_buffer(struct test_context *t, PJRT_Memory *memory, PJRT_Buffer **out)
{
    ABI_ARGS(Client_CreateErrorBuffer, args, .client = t->client,
             .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4, .shape_dims = dims, .shape_num_dims = 1,
             .shape_element_type = PJRT_Buffer_Type_F32, .memory = memory);
    *out = NULL;
    TRY(ABI_CALL(t->api, Client_CreateErrorBuffer, &args));
    *out = args.buffer;
    return NULL;
}

static struct error *alias(struct test_context *t, PJRT_Memory *memory, PJRT_Buffer **out,
                           PJRT_FulfillAliasBufferCallback **fulfill)
{
    ABI_ARGS(Client_CreateAliasBuffer, args, .client = t->client, .memory = memory,
             .shape_dims = dims, .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32);
    *out = NULL;
    TRY(ABI_CALL(t->api, Client_CreateAliasBuffer, &args));
    *out = args.alias_buffer;
    *fulfill = args.fulfill_alias_buffer_cb;
    return NULL;
}

static struct error *view(struct test_context *t, PJRT_Device *device, void *address)
{
    ABI_ARGS(Client_CreateViewOfDeviceBuffer, args, .client = t->client,
             .device_buffer_ptr = address, .dims = dims, .num_dims = 1,
             .element_type = PJRT_Buffer_Type_F32, .device = device);
    TRY(ABI_CALL(t->api, Client_CreateViewOfDeviceBuffer, &args));
    abi_buffer_destroy(t->api, args.buffer);
    return NULL;
}

/* No object of this client can be created in memory of another client. */
static void memory_of_another_client(struct test_context *t)
{
    _Alignas(64) static float values[COUNT];
    struct test_context other = *t;
    PJRT_Buffer *buffer, *mine = upload(t);
    PJRT_AsyncHostToDeviceTransferManager *manager;
    PJRT_FulfillAliasBufferCallback *fulfill;
    NEED_OK(t, abi_client_create(t->api, NULL, 0, &other.client));
    NEED_OK(t, abi_first_device(t->api, other.client, &other.device));
    PJRT_Memory *memory = home_of(t, other.device);
    CHECK_CODE(t, INVALID_ARGUMENT, host_buffer(t, NULL, memory));
    CHECK_CODE(t, INVALID_ARGUMENT, host_buffer(t, other.device, NULL));
    CHECK_CODE(t, INVALID_ARGUMENT, host_buffer(t, NULL, NULL));
    CHECK_CODE(t, INVALID_ARGUMENT, uninitialized(t, NULL, memory));
    CHECK_CODE(t, INVALID_ARGUMENT, uninitialized(t, other.device, NULL));
    CHECK_CODE(t, INVALID_ARGUMENT, error_buffer(t, memory, &buffer));
    CHECK_CODE(t, INVALID_ARGUMENT, error_buffer(t, NULL, &buffer));
    CHECK_CODE(t, INVALID_ARGUMENT, alias(t, memory, &buffer, &fulfill));
    CHECK_CODE(t, INVALID_ARGUMENT, alias(t, NULL, &buffer, &fulfill));
    CHECK_CODE(t, INVALID_ARGUMENT, view(t, other.device, values));
    CHECK_CODE(t, INVALID_ARGUMENT, manager_of(t, memory, &manager));
    CHECK_CODE(t, INVALID_ARGUMENT, manager_of(t, NULL, &manager));
    CHECK_CODE(t, INVALID_ARGUMENT, to_memory(t, mine, memory));
    CHECK_CODE(t, INVALID_ARGUMENT, to_device(t, mine, other.device));
    CHECK_CODE(t, INVALID_ARGUMENT, to_device(t, mine, t->device));
    check_values(t, mine);
    abi_buffer_destroy(t->api, mine);
    abi_client_destroy(t->api, other.client);
}

static struct error *fulfill_by(struct test_context *t, PJRT_FulfillAliasBufferCallback *fulfill,
                                PJRT_Buffer *buffer)
{
    ABI_ARGS(Client_FulfillAliasBuffer, args, .client = t->client, .buffer = buffer,
             .fulfill_alias_buffer_cb = fulfill);
    return ABI_CALL(t->api, Client_FulfillAliasBuffer, &args);
}

static void buffer_of_another_client(struct test_context *t)
{
    struct test_context other = *t;
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *promised, *mine = upload(t), *result = NULL;
    PJRT_FulfillAliasBufferCallback *fulfill;
    const int64_t four[] = {4};
    PJRT_Buffer *pair[2];
    NEED_OK(t, abi_client_create(t->api, NULL, 0, &other.client));
    NEED_OK(t, abi_first_device(t->api, other.client, &other.device));
    PJRT_Buffer *theirs = upload(&other);
    NEED_SUPPORTED(t, alias(t, home_of(t, t->device), &promised, &fulfill));
    CHECK_CODE(t, INVALID_ARGUMENT, fulfill_by(t, fulfill, theirs));
    CHECK_CODE(t, INVALID_ARGUMENT, fulfill_by(t, fulfill, NULL));
    CHECK_OK(t, fulfill_by(t, fulfill, mine));
    check_values(t, promised);
    NEED_OK(t, test_context_compile(t, PROGRAM_add, &executable));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, four, &pair[0]));
    NEED_OK(t, test_context_upload(&other, DTYPE_F32, 1, four, &pair[1]));
    CHECK_CODE(t, INVALID_ARGUMENT, abi_execute(t->api, executable, pair, 2, &result, 1));
    PJRT_Buffer *const all[] = {promised, mine, theirs, pair[0], pair[1]};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        abi_buffer_destroy(t->api, all[i]);
    abi_executable_destroy(t->api, executable);
    abi_client_destroy(t->api, other.client);
}

/* ---- Deleted buffers ------------------------------------------------------------------------- */

/* Every call that uses the buffer fails. */
static void check_deleted(struct test_context *t, PJRT_Buffer *buffer)
{
    float back[COUNT];
    PJRT_Buffer *promised;
    PJRT_FulfillAliasBufferCallback *fulfill;
    ABI_ARGS(Device_AddressableMemories, memories, .device = t->device);
    CHECK_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &memories));
    CHECK_CODE(t, FAILED_PRECONDITION, abi_download(t->api, buffer, back, sizeof back));
    CHECK_CODE(t, FAILED_PRECONDITION, raw_to_host(t, buffer, back, 0, 4));
    CHECK_CODE(t, FAILED_PRECONDITION, raw_to_host_later(t, buffer, back, 0, 4));
    for (size_t i = 0; i < memories.num_memories; i++)
        CHECK_CODE(t, FAILED_PRECONDITION, to_memory(t, buffer, memories.memories[i]));
    CHECK_CODE(t, FAILED_PRECONDITION, bitcast(t, buffer));
    ABI_ARGS(Buffer_DonateWithControlDependency, donate, .buffer = buffer);
    CHECK_CODE(t, FAILED_PRECONDITION,
               ABI_CALL(t->api, Buffer_DonateWithControlDependency, &donate));
    ABI_ARGS(Buffer_IncreaseExternalReferenceCount, more, .buffer = buffer);
    CHECK_CODE(t, FAILED_PRECONDITION,
               ABI_CALL(t->api, Buffer_IncreaseExternalReferenceCount, &more));
    ABI_ARGS(Buffer_UnsafePointer, pointer, .buffer = buffer);
    CHECK_CODE(t, FAILED_PRECONDITION, ABI_CALL(t->api, Buffer_UnsafePointer, &pointer));
    NEED_SUPPORTED(t, alias(t, home_of(t, t->device), &promised, &fulfill));
    CHECK_CODE(t, FAILED_PRECONDITION, fulfill_by(t, fulfill, buffer));
    PJRT_Buffer *good = upload(t);
    CHECK_OK(t, fulfill_by(t, fulfill, good));
    check_values(t, promised);
    abi_buffer_destroy(t->api, good);
    abi_buffer_destroy(t->api, promised);
}

static void deleted(struct test_context *t)
{
    PJRT_Buffer *buffer = upload(t);
    ABI_ARGS(Buffer_Delete, delete, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Delete, &delete));
    check_deleted(t, buffer);
    abi_buffer_destroy(t->api, buffer);
}

static void donated(struct test_context *t)
{
    PJRT_Buffer *buffer = upload(t);
    ABI_ARGS(Buffer_DonateWithControlDependency, donate, .buffer = buffer);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Buffer_DonateWithControlDependency, &donate));
    check_deleted(t, buffer);
    PJRT_Buffer_DonateWithControlDependency_Callback_Args ready = {
        .struct_size = PJRT_Buffer_DonateWithControlDependency_Callback_Args_STRUCT_SIZE,
        .callback_data = donate.callback_data};
    donate.dependency_ready_callback(&ready);
    check_values(t, donate.out_buffer);
    abi_buffer_destroy(t->api, buffer);
    abi_buffer_destroy(t->api, donate.out_buffer);
}

/* ---- Errors in a chain ----------------------------------------------------------------------- */

/* Everything derived from an error buffer has its error, in every memory. */
static void error_chain(struct test_context *t)
{
    float back[COUNT];
    PJRT_Buffer *lost, *promised;
    PJRT_FulfillAliasBufferCallback *fulfill;
    ABI_ARGS(Device_AddressableMemories, memories, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &memories));
    for (size_t i = 0; i < memories.num_memories; i++) {
        NEED_SUPPORTED(t, error_buffer(t, memories.memories[i], &lost));
        CHECK_CODE(t, DATA_LOSS, raw_to_host(t, lost, back, 0, 4));
        CHECK_CODE(t, DATA_LOSS, raw_to_host_later(t, lost, back, 0, 4));
        for (size_t k = 0; k < memories.num_memories; k++)
            CHECK_CODE(t, DATA_LOSS, to_memory(t, lost, memories.memories[k]));
        NEED_OK(t, alias(t, memories.memories[i], &promised, &fulfill));
        CHECK_OK(t, fulfill_by(t, fulfill, lost));
        CHECK_CODE(t, DATA_LOSS, abi_download(t->api, promised, back, sizeof back));
        abi_buffer_destroy(t->api, promised);
        abi_buffer_destroy(t->api, lost);
    }
}

static const struct test_context_case cases[] = {
    {"ranges_to_host", ranges_to_host, STAGE_CLIENT, 0},
    {"ranges_from_host", ranges_from_host, STAGE_CLIENT, 0},
    {"memory_of_another_client", memory_of_another_client, STAGE_CLIENT, 0},
    {"buffer_of_another_client", buffer_of_another_client, STAGE_CLIENT, 0},
    {"deleted", deleted, STAGE_CLIENT, 0},
    {"donated", donated, STAGE_CLIENT, 0},
    {"error_chain", error_chain, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_misuse = {"misuse", cases};
