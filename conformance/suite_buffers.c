/* suite_buffers.c: transfers of arrays to a device and back, and the lifetime of buffers. */
#include <stdlib.h>
#include <string.h>

#include "conformance/test_context.h"

enum { ROWS = 3, COLUMNS = 5 };

/* Uploads an f32 array with the given semantics; the caller owns the results. */
static struct error *put(struct test_context *t, const void *data, size_t rank, const int64_t *dims,
                         const int64_t *strides, PJRT_HostBufferSemantics semantics,
                         PJRT_Event **done, PJRT_Buffer **out)
{
    ABI_ARGS(Client_BufferFromHostBuffer, args, .client = t->client, .data = data,
             .type = PJRT_Buffer_Type_F32, .dims = dims, .num_dims = rank, .byte_strides = strides,
             .num_byte_strides = strides ? rank : 0, .host_buffer_semantics = semantics,
             .device = t->device);
    *out = NULL;
    *done = NULL;
    TRY(ABI_CALL(t->api, Client_BufferFromHostBuffer, &args));
    *out = args.buffer;
    *done = args.done_with_host_buffer;
    return NULL;
}

static void fill(float *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        values[i] = (float)i + 0.25F;
}

/* ---- Round trips ----------------------------------------------------------------------------- */

static void check_type(struct test_context *t, enum dtype dtype, size_t rank, const int64_t *dims)
{
    enum dtype part = dtype_real_part(dtype);
    size_t size = test_context_count(rank, dims) * (size_t)dtype_bytes(dtype);
    unsigned char back[1024], *expected = calloc(1, size + 1);
    PJRT_Buffer *buffer;
    struct error *error = test_context_upload(t, dtype, rank, dims, &buffer);
    if (error && error_code(error) == PJRT_Error_Code_UNIMPLEMENTED) {
        error_free(error);
    } else if (CHECK_OK(t, error_prefix(error, "%s", dtype_name(dtype)))) {
        size_t step = (size_t)dtype_bytes(part);
        for (size_t i = 0; i < size / step; i++)
            dtype_from_double(part, test_context_value(dtype, i), expected + i * step);
        memset(back, 0xee, sizeof back);
        CHECK_OK(t, abi_download(t->api, buffer, back, size));
        CHECK(t, !memcmp(back, expected, size), "%s comes back changed", dtype_name(dtype));
        CHECK(t, back[size] == 0xee, "%s: more is written than was asked for", dtype_name(dtype));
        enum dtype got;
        const int64_t *got_dims;
        size_t got_rank;
        CHECK_OK(t, abi_shape(t->api, buffer, &got, &got_dims, &got_rank));
        CHECK(t, got == dtype && got_rank == rank, "%s has another type or rank",
              dtype_name(dtype));
        CHECK(t, !rank || !memcmp(got_dims, dims, rank * sizeof *dims), "other dimensions");
        abi_buffer_destroy(t->api, buffer);
    }
    free(expected);
}

static void all_types(struct test_context *t)
{
    const int64_t shape[] = {ROWS, COLUMNS}, empty[] = {4, 0, 2};
    for (enum dtype dtype = 1; dtype < DTYPE_COUNT; dtype++) {
        if (!dtype_bytes(dtype))
            continue;
        check_type(t, dtype, 2, shape);
        check_type(t, dtype, 0, NULL);
        check_type(t, dtype, 3, empty);
    }
}

/* A transposed client array: element [r][c] is at byte 4 (c * ROWS + r). */
static void strides(struct test_context *t)
{
    const int64_t dims[] = {ROWS, COLUMNS}, forward[] = {4, 4 * ROWS},
                  backward[] = {-4 * COLUMNS, 4};
    float host[ROWS * COLUMNS], back[ROWS][COLUMNS];
    PJRT_Event *done;
    PJRT_Buffer *buffer;
    fill(host, ROWS * COLUMNS);
    NEED_OK(t, put(t, host, 2, dims, forward, PJRT_HostBufferSemantics_kImmutableZeroCopy, &done,
                   &buffer));
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            CHECK(t, back[r][c] == host[c * ROWS + r], "[%d][%d] is %g", r, c, (double)back[r][c]);
    abi_buffer_destroy(t->api, buffer);
    CHECK_OK(t, abi_await(t->api, done));

    NEED_OK(t, put(t, host + (ROWS - 1) * COLUMNS, 2, dims, backward,
                   PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, &done, &buffer));
    CHECK_OK(t, abi_await(t->api, done));
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++)
            CHECK(t, back[r][c] == host[(ROWS - 1 - r) * COLUMNS + c], "negative strides: [%d][%d]",
                  r, c);
    abi_buffer_destroy(t->api, buffer);
}

/* After the time defined by the semantics, the client overwrites its array. */
static void semantics(struct test_context *t)
{
    const int64_t dims[] = {4096};
    static float host[4096], back[4096];
    PJRT_Event *done;
    PJRT_Buffer *buffer;
    fill(host, 4096);
    NEED_OK(t, put(t, host, 1, dims, NULL, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, &done,
                   &buffer));
    memset(host, 0, sizeof host);
    CHECK_OK(t, abi_await(t->api, done));
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    CHECK(t, back[7] == 7.25F && back[4095] == 4095.25F, "OnlyDuringCall: read after the call");
    abi_buffer_destroy(t->api, buffer);

    fill(host, 4096);
    NEED_OK(t, put(t, host, 1, dims, NULL,
                   PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, &done, &buffer));
    CHECK_OK(t, abi_await(t->api, done));
    memset(host, 0, sizeof host);
    CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
    CHECK(t, back[7] == 7.25F && back[4095] == 4095.25F,
          "UntilTransferCompletes: read after the event");
    abi_buffer_destroy(t->api, buffer);

    for (int mode = PJRT_HostBufferSemantics_kImmutableZeroCopy;
         mode <= PJRT_HostBufferSemantics_kMutableZeroCopy; mode++) {
        fill(host, 4096);
        NEED_OK(t, put(t, host, 1, dims, NULL, (PJRT_HostBufferSemantics)mode, &done, &buffer));
        CHECK_OK(t, abi_download(t->api, buffer, back, sizeof back));
        CHECK(t, !memcmp(host, back, sizeof back), "zero copy gives other values");
        abi_buffer_destroy(t->api, buffer);
        /* ready at the latest after the buffer is destroyed */
        CHECK_OK(t, abi_await(t->api, done));
    }
}

/* The client requests a column-major copy, requests only the size, and passes a capacity that is
 * too small. */
static void to_host(struct test_context *t)
{
    const int64_t dims[] = {ROWS, COLUMNS}, column_major[] = {0, 1};
    float back[COLUMNS][ROWS];
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 2, dims, &buffer));
    PJRT_Buffer_MemoryLayout layout = {
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = column_major,
                  .minor_to_major_size = 2},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
    ABI_ARGS(Buffer_ToHostBuffer, args, .src = buffer, .host_layout = &layout, .dst = back,
             .dst_size = sizeof back);
    if (CHECK_OK(t, ABI_CALL(t->api, Buffer_ToHostBuffer, &args)))
        CHECK_OK(t, abi_await(t->api, args.event));
    for (size_t r = 0; r < ROWS; r++)
        for (size_t c = 0; c < COLUMNS; c++)
            CHECK(t, (double)back[c][r] == test_context_value(DTYPE_F32, r * COLUMNS + c),
                  "[%zu][%zu]", r, c);

    ABI_ARGS(Buffer_ToHostBuffer, size, .src = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_ToHostBuffer, &size));
    CHECK(t, size.dst_size == sizeof back, "the size is %zu, not %zu", size.dst_size, sizeof back);
    CHECK_CODE(t, INVALID_ARGUMENT, abi_download(t->api, buffer, back, sizeof back - 1));
    abi_buffer_destroy(t->api, buffer);
}

static void raw_ranges(struct test_context *t)
{
    const int64_t dims[] = {256};
    float back[16];
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_CopyRawToHost, part, .buffer = buffer, .dst = back, .offset = 400,
             .transfer_size = sizeof back);
    struct error *error = ABI_CALL(t->api, Buffer_CopyRawToHost, &part);
    if (!error) {
        CHECK_OK(t, abi_await(t->api, part.event));
        for (size_t i = 0; i < 16; i++)
            CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, 100 + i), "element %zu", i);
        const int64_t offsets[] = {-4, 1024, 1000, INT64_MAX};
        for (size_t i = 0; i < sizeof offsets / sizeof *offsets; i++) {
            ABI_ARGS(Buffer_CopyRawToHost, wrong, .buffer = buffer, .dst = back,
                     .offset = offsets[i], .transfer_size = sizeof back);
            CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Buffer_CopyRawToHost, &wrong));
        }
    }
    abi_buffer_destroy(t->api, buffer);
    NEED_SUPPORTED(t, error);
}

/* ---- Properties of buffers ------------------------------------------------------------------- */

static void facts(struct test_context *t)
{
    const int64_t dims[] = {ROWS, COLUMNS};
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 2, dims, &buffer));
    ABI_ARGS(Buffer_UnpaddedDimensions, unpadded, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_UnpaddedDimensions, &unpadded));
    CHECK(t, unpadded.num_dims == 2 && unpadded.unpadded_dims[1] == COLUMNS, "unpadded dimensions");
    ABI_ARGS(Buffer_OnDeviceSizeInBytes, size, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_OnDeviceSizeInBytes, &size));
    CHECK(t, size.on_device_size_in_bytes >= sizeof(float[ROWS][COLUMNS]),
          "%zu bytes on the device", size.on_device_size_in_bytes);
    ABI_ARGS(Buffer_Device, device, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Device, &device));
    CHECK(t, device.device == t->device, "another device");
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    ABI_ARGS(Buffer_Memory, memory, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &home));
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Memory, &memory));
    CHECK(t, memory.memory == home.memory, "not in the device's default memory");
    ABI_ARGS(Buffer_GetMemoryLayout, layout, .buffer = buffer);
    struct error *error = ABI_CALL(t->api, Buffer_GetMemoryLayout, &layout);
    if (!error && layout.layout.type == PJRT_Buffer_MemoryLayout_Type_Tiled)
        CHECK(t, layout.layout.tiled.minor_to_major_size == 2, "a layout of another rank");
    error_free(error);
    abi_buffer_destroy(t->api, buffer);
}

/* ---- Lifetime -------------------------------------------------------------------------------- */

static void deleted(struct test_context *t)
{
    const int64_t dims[] = {8};
    float back[8];
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    CHECK(t, !test_context_is_deleted(t, buffer), "a new buffer is deleted");
    ABI_ARGS(Buffer_Delete, delete, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Delete, &delete));
    CHECK_OK(t, ABI_CALL(t->api, Buffer_Delete, &delete));
    CHECK(t, test_context_is_deleted(t, buffer), "a deleted buffer says that it is not");
    CHECK_CODE(t, FAILED_PRECONDITION, abi_download(t->api, buffer, back, sizeof back));
    enum dtype dtype;
    const int64_t *got;
    size_t rank;
    CHECK_OK(t, abi_shape(t->api, buffer, &dtype, &got, &rank));
    CHECK(t, dtype == DTYPE_F32 && rank == 1 && got[0] == 8, "a deleted buffer loses its shape");
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = buffer);
    struct error *error = ABI_CALL(t->api, Buffer_ReadyEvent, &ready);
    if (error) /* no event, or an event that becomes ready, but not a hang */
        CHECK_CODE(t, FAILED_PRECONDITION, error);
    else
        error_free(abi_await(t->api, ready.event));
    abi_buffer_destroy(t->api, buffer);
}

/* np.asarray: the client reads the bytes in place, even after the buffer is deleted. */
static void external_references(struct test_context *t)
{
    const int64_t dims[] = {1 << 16};
    PJRT_Buffer *buffer, *other;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_IsOnCpu, on_cpu, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_IsOnCpu, &on_cpu));
    ABI_ARGS(Buffer_IncreaseExternalReferenceCount, more, .buffer = buffer);
    ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = buffer);
    if (on_cpu.is_on_cpu) {
        CHECK_CODE(t, FAILED_PRECONDITION,
                   ABI_CALL(t->api, Buffer_DecreaseExternalReferenceCount, &less));
        CHECK_OK(t, ABI_CALL(t->api, Buffer_IncreaseExternalReferenceCount, &more));
        ABI_ARGS(Buffer_OpaqueDeviceMemoryDataPointer, pointer, .buffer = buffer);
        CHECK_OK(t, ABI_CALL(t->api, Buffer_OpaqueDeviceMemoryDataPointer, &pointer));
        const float *bytes = pointer.device_memory_ptr;
        ABI_ARGS(Buffer_Delete, delete, .buffer = buffer);
        CHECK_OK(t, ABI_CALL(t->api, Buffer_Delete, &delete));
        if (CHECK_OK(t, test_context_upload(t, DTYPE_S32, 1, dims,
                                            &other))) /* would reuse freed memory */
            abi_buffer_destroy(t->api, other);
        for (size_t i = 0; bytes && i < 1 << 16; i += 999)
            CHECK(t, (double)bytes[i] == test_context_value(DTYPE_F32, i), "element %zu changed",
                  i);
        CHECK_OK(t, ABI_CALL(t->api, Buffer_DecreaseExternalReferenceCount, &less));
    }
    abi_buffer_destroy(t->api, buffer);
    if (!on_cpu.is_on_cpu)
        test_context_skip(t, "buffers are not on the CPU");
}

/* ---- Other memories, other ways to make a buffer --------------------------------------------- */

static void copy_to_memories(struct test_context *t)
{
    const int64_t dims[] = {ROWS, COLUMNS};
    float back[ROWS * COLUMNS];
    PJRT_Buffer *buffer;
    ABI_ARGS(Device_AddressableMemories, of, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_AddressableMemories, &of));
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 2, dims, &buffer));
    for (size_t i = 0; i < of.num_memories; i++) {
        ABI_ARGS(Buffer_CopyToMemory, copy, .buffer = buffer, .dst_memory = of.memories[i]);
        if (!CHECK_OK(t, ABI_CALL(t->api, Buffer_CopyToMemory, &copy)))
            continue;
        ABI_ARGS(Buffer_Memory, where, .buffer = copy.dst_buffer);
        CHECK_OK(t, ABI_CALL(t->api, Buffer_Memory, &where));
        CHECK(t, where.memory == of.memories[i], "the copy is in another memory");
        CHECK_OK(t, abi_download(t->api, copy.dst_buffer, back, sizeof back));
        CHECK(t, (double)back[14] == test_context_value(DTYPE_F32, 14),
              "the copy has other values");
        abi_buffer_destroy(t->api, copy.dst_buffer);
    }
    abi_buffer_destroy(t->api, buffer);
}

static void uninitialized(struct test_context *t)
{
    const int64_t dims[] = {ROWS, COLUMNS};
    float back[ROWS * COLUMNS];
    ABI_ARGS(Client_CreateUninitializedBuffer, args, .client = t->client, .shape_dims = dims,
             .shape_num_dims = 2, .shape_element_type = PJRT_Buffer_Type_F32, .device = t->device);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_CreateUninitializedBuffer, &args));
    CHECK_OK(t, abi_download(t->api, args.buffer, back, sizeof back));
    abi_buffer_destroy(t->api, args.buffer);
}

static void error_buffer(struct test_context *t)
{
    const int64_t dims[] = {4};
    float back[4];
    ABI_ARGS(Device_DefaultMemory, home, .device = t->device);
    NEED_OK(t, ABI_CALL(t->api, Device_DefaultMemory, &home));
    ABI_ARGS(Client_CreateErrorBuffer, args, .client = t->client,
             .error_code = PJRT_Error_Code_DATA_LOSS, .error_message = "lost",
             .error_message_size = 4, .shape_dims = dims, .shape_num_dims = 1,
             .shape_element_type = PJRT_Buffer_Type_F32, .memory = home.memory);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_CreateErrorBuffer, &args));
    ABI_ARGS(Buffer_ReadyEvent, ready, .buffer = args.buffer);
    if (CHECK_OK(t, ABI_CALL(t->api, Buffer_ReadyEvent, &ready)))
        CHECK_CODE(t, DATA_LOSS, abi_await(t->api, ready.event));
    CHECK_CODE(t, DATA_LOSS, abi_download(t->api, args.buffer, back, sizeof back));
    abi_buffer_destroy(t->api, args.buffer);
}

static void count_call(void *bytes, void *count)
{
    (void)bytes;
    atomic_fetch_add((atomic_int *)count, 1);
}

/* The device address of 64 floats: the memory of a buffer (owned), kept by an external
 * reference. */
static struct error *device_memory(struct test_context *t, PJRT_Buffer **buffer, void **address)
{
    const int64_t dims[] = {64};
    TRY(test_context_upload(t, DTYPE_F32, 1, dims, buffer));
    ABI_ARGS(Buffer_IncreaseExternalReferenceCount, more, .buffer = *buffer);
    TRY(ABI_CALL(t->api, Buffer_IncreaseExternalReferenceCount, &more));
    ABI_ARGS(Buffer_OpaqueDeviceMemoryDataPointer, pointer, .buffer = *buffer);
    TRY(ABI_CALL(t->api, Buffer_OpaqueDeviceMemoryDataPointer, &pointer));
    *address = pointer.device_memory_ptr;
    return NULL;
}

/* A view has the elements of its memory, and calls its deleter once, when it is destroyed. */
static void check_view(struct test_context *t, void *address)
{
    const int64_t dims[] = {64};
    float back[64];
    atomic_int deleted_count = 0;
    ABI_ARGS(Client_CreateViewOfDeviceBuffer, args, .client = t->client,
             .device_buffer_ptr = address, .dims = dims, .num_dims = 1,
             .element_type = PJRT_Buffer_Type_F32, .device = t->device,
             .on_delete_callback = count_call, .on_delete_callback_arg = &deleted_count);
    NEED_SUPPORTED(t, ABI_CALL(t->api, Client_CreateViewOfDeviceBuffer, &args));
    CHECK_OK(t, abi_download(t->api, args.buffer, back, sizeof back));
    for (size_t i = 0; i < 64; i++)
        CHECK(t, (double)back[i] == test_context_value(DTYPE_F32, i), "element %zu is %g", i,
              (double)back[i]);
    CHECK(t, atomic_load(&deleted_count) == 0, "the view lets go of its memory too early");
    abi_buffer_destroy(t->api, args.buffer);
    CHECK(t, atomic_load(&deleted_count) == 1, "the view's deleter is called %d times",
          atomic_load(&deleted_count));
}

/* Views of device memory, and of host memory if the host can address device memory. */
static void view(struct test_context *t)
{
    PJRT_Buffer *buffer;
    void *address = NULL;
    float *bytes = aligned_alloc(64, 64 * sizeof *bytes);
    for (size_t i = 0; i < 64; i++)
        bytes[i] = (float)test_context_value(DTYPE_F32, i);
    NEED_OK(t, device_memory(t, &buffer, &address));
    ABI_ARGS(Buffer_IsOnCpu, on_cpu, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_IsOnCpu, &on_cpu));
    check_view(t, address);
    if (on_cpu.is_on_cpu)
        check_view(t, bytes);
    ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = buffer);
    CHECK_OK(t, ABI_CALL(t->api, Buffer_DecreaseExternalReferenceCount, &less));
    abi_buffer_destroy(t->api, buffer);
    free(bytes);
}

static void bitcast(struct test_context *t)
{
    const int64_t dims[] = {8}, other[] = {4, 4}, wrong[] = {9};
    uint16_t back[16];
    PJRT_Buffer *buffer;
    NEED_OK(t, test_context_upload(t, DTYPE_F32, 1, dims, &buffer));
    ABI_ARGS(Buffer_Bitcast, bad, .buffer = buffer, .element_type = PJRT_Buffer_Type_F32,
             .dims = wrong, .num_dims = 1);
    ABI_ARGS(Buffer_Bitcast, args, .buffer = buffer, .element_type = PJRT_Buffer_Type_U16,
             .dims = other, .num_dims = 2);
    struct error *error = ABI_CALL(t->api, Buffer_Bitcast, &args);
    if (!error) {
        CHECK_CODE(t, INVALID_ARGUMENT, ABI_CALL(t->api, Buffer_Bitcast, &bad));
        abi_buffer_destroy(t->api, buffer);
        buffer = NULL;
        CHECK_OK(t, abi_download(t->api, args.out_buffer, back, sizeof back));
        float first = (float)test_context_value(DTYPE_F32, 1);
        CHECK(t, !memcmp(back + 2, &first, sizeof first), "other bytes");
        abi_buffer_destroy(t->api, args.out_buffer);
    }
    if (buffer)
        abi_buffer_destroy(t->api, buffer);
    NEED_SUPPORTED(t, error);
}

static const struct test_context_case cases[] = {
    {"all_types", all_types, STAGE_CLIENT, 0},
    {"strides", strides, STAGE_CLIENT, 0},
    {"semantics", semantics, STAGE_CLIENT, 0},
    {"to_host", to_host, STAGE_CLIENT, 0},
    {"raw_ranges", raw_ranges, STAGE_CLIENT, 0},
    {"facts", facts, STAGE_CLIENT, 0},
    {"deleted", deleted, STAGE_CLIENT, 0},
    {"external_references", external_references, STAGE_CLIENT, 0},
    {"copy_to_memories", copy_to_memories, STAGE_CLIENT, 0},
    {"uninitialized", uninitialized, STAGE_CLIENT, 0},
    {"error_buffer", error_buffer, STAGE_CLIENT, 0},
    {"view", view, STAGE_CLIENT, 0},
    {"bitcast", bitcast, STAGE_CLIENT, 0},
    {0}};
const struct test_context_suite suite_buffers = {"buffers", cases};
