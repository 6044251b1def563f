/* upload_rules.c: area 8: arrays from the host to a device. */
#include <stdlib.h>
#include <string.h>

#include "base/dtype.h"
#include "conformance/rules/sample_programs.h"

/* ---- 8.1 Shapes and element types ------------------------------------------------------------ */

enum { MOST_BYTES = 1024 };

static struct error *round_trip(struct rule_context *t, const struct rule_array *array, void *back,
                                size_t size)
{
    PJRT_Buffer *buffer;
    TRY(rule_upload(t, array, &buffer));
    struct error *error = rule_download(t, buffer, back, size);
    DESTROY(t, Buffer, buffer, buffer);
    return error;
}

/* Uploads random bits of a type, as a 6 x 7 matrix, and downloads them; `mask` is what of a byte
 * counts. */
static void check_type(struct rule_context *t, PJRT_Buffer_Type type, unsigned char mask)
{
    const int64_t dims[] = {6, 7};
    unsigned char bytes[MOST_BYTES], back[MOST_BYTES];
    size_t size = 42 * (size_t)dtype_bytes(dtype_from_pjrt(type));
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)rule_random(t) & mask;
    memset(back, 0xee, sizeof back);
    NEED_OK(t, round_trip(t, &(struct rule_array){type, 2, dims, bytes}, back, size));
    for (size_t i = 0; i < size; i++)
        NEED(t, back[i] == bytes[i], "type %d: byte %zu of %zu is %#x instead of %#x", (int)type, i,
             size, back[i], bytes[i]);
    CHECK(t, back[size] == 0xee, "type %d: more than %zu bytes are written", (int)type, size);
}

void rule_upload_takes_floats(struct rule_context *t)
{
    const uint32_t bits[] = {0x7fc01234, 0xffc00001, 0x80000000, 0x7f800000, 0xff800000,
                             0x00000001, 0x807fffff, 0x3f800000, 0x7f7fffff};
    uint32_t back[9] = {0};
    const int64_t dims[] = {9};
    NEED_CLIENT(t);
    struct rule_array array = {PJRT_Buffer_Type_F32, 1, dims, bits};
    NEED_OK(t, round_trip(t, &array, back, sizeof back));
    for (int i = 0; i < 9; i++)
        CHECK(t, back[i] == bits[i], "bits %#x have become %#x", bits[i], back[i]);
}

void rule_upload_takes_integers(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_S32, 0xff);
    check_type(t, PJRT_Buffer_Type_U8, 0xff);
}

void rule_upload_takes_predicates(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_PRED, 1);
}

void rule_upload_takes_half_floats(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_F16, 0xff);
    check_type(t, PJRT_Buffer_Type_BF16, 0xff);
}

void rule_upload_takes_wide_types(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_S64, 0xff);
    check_type(t, PJRT_Buffer_Type_U64, 0xff);
    check_type(t, PJRT_Buffer_Type_F64, 0xff);
}

void rule_upload_takes_complex_numbers(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_C64, 0xff);
    check_type(t, PJRT_Buffer_Type_C128, 0xff);
}

void rule_upload_takes_small_floats(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int type = PJRT_Buffer_Type_F8E5M2; type <= PJRT_Buffer_Type_F8E4M3FNUZ; type++)
        check_type(t, (PJRT_Buffer_Type)type, 0xff);
}

void rule_upload_takes_parts_of_bytes(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_S4, 7); /* positive: the bits above the value are not defined */
    check_type(t, PJRT_Buffer_Type_U4, 15);
}

void rule_upload_takes_other_integers(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_type(t, PJRT_Buffer_Type_S8, 0xff);
    check_type(t, PJRT_Buffer_Type_S16, 0xff);
    check_type(t, PJRT_Buffer_Type_U16, 0xff);
    check_type(t, PJRT_Buffer_Type_U32, 0xff);
}

void rule_upload_takes_newer_types(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int type = PJRT_Buffer_Type_F8E4M3; type <= PJRT_Buffer_Type_F8E8M0FNU; type++)
        check_type(t, (PJRT_Buffer_Type)type, 0xff);
    check_type(t, PJRT_Buffer_Type_S2, 1);
    check_type(t, PJRT_Buffer_Type_U2, 3);
    check_type(t, PJRT_Buffer_Type_F4E2M1FN, 15);
}

void rule_upload_takes_scalars(struct rule_context *t)
{
    float value = 2.5F, back = 0;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array scalar = {PJRT_Buffer_Type_F32, 0, NULL, &value};
    NEED_OK(t, rule_upload(t, &scalar, &buffer));
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 0, "rank %zu", shape.num_dims);
    CHECK_OK(t, rule_download(t, buffer, &back, sizeof back));
    CHECK(t, back == value, "%g has become %g", (double)value, (double)back);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_upload_takes_empty_arrays(struct rule_context *t)
{
    const int64_t dims[] = {4, 0, 3};
    float nothing = 0;
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array empty = {PJRT_Buffer_Type_F32, 3, dims, &nothing};
    NEED_OK(t, rule_upload(t, &empty, &buffer));
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 3 && !memcmp(shape.dims, dims, sizeof dims), "other dimensions");
    CHECK_OK(t, buffer_await(t, buffer));
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_upload_takes_high_ranks(struct rule_context *t)
{
    const int64_t dims[] = {2, 1, 3, 2, 1, 2, 3, 2};
    float values[144], back[144] = {0};
    NEED_CLIENT(t);
    for (int i = 0; i < 144; i++)
        values[i] = (float)i;
    struct rule_array array = {PJRT_Buffer_Type_F32, 8, dims, values};
    NEED_OK(t, round_trip(t, &array, back, sizeof back));
    CHECK(t, !memcmp(values, back, sizeof back), "the elements come back in another order");
}

void rule_upload_keeps_types_and_dimensions(struct rule_context *t)
{
    const int64_t dims[] = {3, 5, 7};
    static const int16_t values[105];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array array = {PJRT_Buffer_Type_S16, 3, dims, values};
    NEED_OK(t, rule_upload(t, &array, &buffer));
    ARGS(t, Buffer_ElementType, type, .buffer = buffer);
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_ElementType, &type));
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, type.type == PJRT_Buffer_Type_S16, "type %d", (int)type.type);
    CHECK(t, shape.num_dims == 3 && !memcmp(shape.dims, dims, sizeof dims), "other dimensions");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_upload_takes_large_arrays(struct rule_context *t)
{
    enum { COUNT = 8 << 20 };
    int64_t dims[] = {1024, COUNT / 1024};
    uint32_t *values = malloc(COUNT * 4), *back = calloc(COUNT, 4);
    NEED_CLIENT(t);
    NEED(t, values && back, "no memory on the host");
    for (uint32_t i = 0; i < COUNT; i++)
        values[i] = i * 2654435761U;
    struct rule_array array = {PJRT_Buffer_Type_U32, 2, dims, values};
    NEED_OK(t, round_trip(t, &array, back, COUNT * sizeof *back));
    for (int i = 0; i < COUNT; i++)
        NEED(t, back[i] == values[i], "element %d has changed", i);
    free(values);
    free(back);
}

void rule_upload_takes_any_address(struct rule_context *t)
{
    char bytes[SAMPLE_BYTES + 3];
    float values[SAMPLE];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    sample_fill(values);
    for (int shift = 1; shift <= 3; shift++) {
        memcpy(bytes + shift, values, sizeof values);
        struct rule_array array = {PJRT_Buffer_Type_F32, 1, sample_dims, bytes + shift};
        NEED_OK(t, rule_upload(t, &array, &buffer));
        sample_check(t, buffer);
        DESTROY(t, Buffer, buffer, buffer);
    }
}

void rule_upload_borrows_dimensions(struct rule_context *t)
{
    int64_t dims[] = {SAMPLE}, strides[] = {4};
    float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.dims = dims;
    args.byte_strides = strides;
    args.num_byte_strides = 1;
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    dims[0] = strides[0] = -1;
    CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    ARGS(t, Buffer_Dimensions, shape, .buffer = args.buffer);
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, shape.num_dims == 1 && shape.dims[0] == SAMPLE, "other dimensions");
    sample_check(t, args.buffer);
    DESTROY(t, Buffer, buffer, args.buffer);
}

/* ---- 8.2 Strides ----------------------------------------------------------------------------- */

enum { ROWS = 4, COLUMNS = 6 };

/* Uploads a 4 x 6 matrix whose element [r][c] is at `data` + r * strides[0] + c * strides[1], and
 * compares. */
static void check_strides(struct rule_context *t, const char *data, const int64_t strides[2])
{
    const int64_t dims[] = {ROWS, COLUMNS};
    float back[ROWS][COLUMNS] = {{0}}, expected;
    NEED_CLIENT(t);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, NULL);
    args.data = data;
    args.dims = dims;
    args.num_dims = args.num_byte_strides = 2;
    args.byte_strides = strides;
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    CHECK_OK(t, rule_download(t, args.buffer, back, sizeof back));
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            memcpy(&expected, data + r * strides[0] + c * strides[1], sizeof expected);
            CHECK(t, back[r][c] == expected, "[%d][%d] is %g instead of %g", r, c,
                  (double)back[r][c], (double)expected);
        }
    DESTROY(t, Buffer, buffer, args.buffer);
}

void rule_upload_takes_dense_strides(struct rule_context *t)
{
    float values[SAMPLE];
    sample_fill(values);
    check_strides(t, (const char *)values, (const int64_t[]){4 * COLUMNS, 4});
}

void rule_upload_takes_transposed_arrays(struct rule_context *t)
{
    float values[SAMPLE];
    sample_fill(values);
    check_strides(t, (const char *)values, (const int64_t[]){4, 4 * ROWS});
}

void rule_upload_takes_padded_rows(struct rule_context *t)
{
    float values[SAMPLE];
    sample_fill(values);
    check_strides(t, (const char *)values, (const int64_t[]){4 * 9, 4});
}

void rule_upload_takes_negative_strides(struct rule_context *t)
{
    float values[SAMPLE];
    sample_fill(values);
    check_strides(t, (const char *)(values + (ROWS - 1) * COLUMNS),
                  (const int64_t[]){-4 * COLUMNS, 4});
}

/* ---- 8.3 How long the host array is used ----------------------------------------------------- */

/* Uploads with the semantics, overwrites the array, and looks whether the buffer has noticed. */
static void check_copied(struct rule_context *t, PJRT_HostBufferSemantics semantics, bool await)
{
    enum { COUNT = 1 << 18 };
    static float values[COUNT], expected[COUNT];
    const int64_t dims[] = {COUNT};
    NEED_CLIENT(t);
    for (int i = 0; i < COUNT; i++)
        values[i] = expected[i] = (float)i;
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.dims = dims;
    args.host_buffer_semantics = semantics;
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    if (await)
        CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    memset(values, 0xff, sizeof values);
    rule_check_floats(t, args.buffer, expected, COUNT);
    if (!await)
        CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    DESTROY(t, Buffer, buffer, args.buffer);
}

void rule_upload_copies_during_the_call(struct rule_context *t)
{
    check_copied(t, PJRT_HostBufferSemantics_kImmutableOnlyDuringCall, false);
}

void rule_upload_copies_until_the_event(struct rule_context *t)
{
    check_copied(t, PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes, true);
}

void rule_upload_copies_end_by_themselves(struct rule_context *t)
{
    float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    for (int semantics = PJRT_HostBufferSemantics_kImmutableOnlyDuringCall;
         semantics <= PJRT_HostBufferSemantics_kImmutableUntilTransferCompletes; semantics++) {
        PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
        args.host_buffer_semantics = (PJRT_HostBufferSemantics)semantics;
        NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
        CHECK_OK(t, rule_await(t, args.done_with_host_buffer)); /* or the time limit */
        sample_check(t, args.buffer);
        DESTROY(t, Buffer, buffer, args.buffer);
    }
}

void rule_upload_borrows_until_the_event(struct rule_context *t)
{
    static _Alignas(64) float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    for (int semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
         semantics <= PJRT_HostBufferSemantics_kMutableZeroCopy; semantics++) {
        PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
        args.host_buffer_semantics = (PJRT_HostBufferSemantics)semantics;
        NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
        sample_check(t, args.buffer);
        DESTROY(t, Buffer, buffer, args.buffer);
        CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    }
}

void rule_upload_always_gives_events(struct rule_context *t)
{
    static _Alignas(64) float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    for (int semantics = 0; semantics <= PJRT_HostBufferSemantics_kMutableZeroCopy; semantics++) {
        PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
        args.host_buffer_semantics = (PJRT_HostBufferSemantics)semantics;
        NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
        CHECK(t, args.done_with_host_buffer, "semantics %d: no event", semantics);
        DESTROY(t, Buffer, buffer, args.buffer);
        CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    }
}

void rule_upload_never_writes_immutable_arrays(struct rule_context *t)
{
    enum { COUNT = 256 }; /* donate.mlirbc: f(x, y) = x * 2 + y, of which x is donated */
    static _Alignas(64) float values[COUNT], expected[COUNT];
    const int64_t dims[] = {COUNT};
    PJRT_Buffer *other, *result;
    NEED_PROGRAM(t, executable, "donate.mlirbc");
    for (int i = 0; i < COUNT; i++)
        values[i] = (float)i, expected[i] = (float)i * 3;
    NEED_OK(t, rule_upload_floats(t, values, COUNT, &other));
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.dims = dims;
    args.host_buffer_semantics = PJRT_HostBufferSemantics_kImmutableZeroCopy;
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    NEED_OK(t, execute_two(t, executable, args.buffer, other, &result));
    rule_check_floats(t, result, expected, COUNT);
    for (int i = 0; i < COUNT; i++)
        NEED(t, values[i] == (float)i, "the host's element %d has become %g", i, (double)values[i]);
    DESTROY(t, Buffer, buffer, args.buffer);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, other);
    CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_upload_events_outlive_buffers(struct rule_context *t)
{
    static _Alignas(64) float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    for (int i = 0; i < 100; i++) {
        PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
        args.host_buffer_semantics = (PJRT_HostBufferSemantics)(i % 4);
        NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
        DESTROY(t, Buffer, buffer, args.buffer);
        NEED_OK(t, rule_await(t, args.done_with_host_buffer));
    }
}

/* ---- 8.4 Layouts ----------------------------------------------------------------------------- */

static PJRT_Buffer_MemoryLayout layout_of(const int64_t *order, size_t rank)
{
    return (PJRT_Buffer_MemoryLayout){
        .struct_size = PJRT_Buffer_MemoryLayout_STRUCT_SIZE,
        .tiled = {.struct_size = PJRT_Buffer_MemoryLayout_Tiled_STRUCT_SIZE,
                  .minor_to_major = order,
                  .minor_to_major_size = rank},
        .type = PJRT_Buffer_MemoryLayout_Type_Tiled,
    };
}

void rule_upload_takes_layouts(struct rule_context *t)
{
    const int64_t dims[] = {8, 8}, order[] = {0, 1};
    float values[SAMPLE], back[SAMPLE] = {0};
    PJRT_Buffer_MemoryLayout layout = layout_of(order, 2);
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.dims = dims;
    args.num_dims = 2;
    args.device_layout = &layout;
    NEED_OK(t, CALL(t, Client_BufferFromHostBuffer, &args));
    CHECK_OK(t, rule_await(t, args.done_with_host_buffer));
    CHECK_OK(t, rule_download(t, args.buffer, back, sizeof back));
    CHECK(t, !memcmp(values, back, sizeof back), "the elements come back in another order");
    ARGS(t, Buffer_GetMemoryLayout, get, .buffer = args.buffer);
    NEED_OK(t, CALL(t, Buffer_GetMemoryLayout, &get));
    if (get.layout.type == PJRT_Buffer_MemoryLayout_Type_Tiled)
        CHECK(t, get.layout.tiled.minor_to_major_size == 2 && !get.layout.tiled.minor_to_major[0],
              "the buffer is row-major");
    DESTROY(t, Buffer, buffer, args.buffer);
}

void rule_upload_rejects_wrong_layouts(struct rule_context *t)
{
    const int64_t dims[] = {8, 8}, order[] = {1, 1};
    float values[SAMPLE];
    PJRT_Buffer_MemoryLayout layout = layout_of(order, 2);
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.dims = dims;
    args.num_dims = 2;
    args.device_layout = &layout;
    CHECK_ERROR(t, sample_try(t, &args));
}

/* ---- 8.5 Mistakes ---------------------------------------------------------------------------- */

static void check_rejected(struct rule_context *t, PJRT_Buffer_Type type, const int64_t *dims,
                           size_t rank)
{
    float values[SAMPLE];
    PJRT_Buffer *buffer;
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.type = type;
    args.dims = dims;
    args.num_dims = rank;
    CHECK_ERROR(t, sample_try(t, &args));
    NEED_OK(t, sample_upload(t, &buffer));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_upload_rejects_negative_dimensions(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_rejected(t, PJRT_Buffer_Type_F32, (const int64_t[]){-1}, 1);
    check_rejected(t, PJRT_Buffer_Type_F32, (const int64_t[]){-4, -4}, 2);
}

void rule_upload_rejects_overflow(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_rejected(t, PJRT_Buffer_Type_F64, (const int64_t[]){INT64_MAX}, 1);
    check_rejected(t, PJRT_Buffer_Type_F32, (const int64_t[]){INT64_MAX, INT64_MAX, 2}, 3);
}

void rule_upload_rejects_unknown_types(struct rule_context *t)
{
    NEED_CLIENT(t);
    const int types[] = {PJRT_Buffer_Type_INVALID, 999, -1};
    for (int i = 0; i < 3; i++)
        check_rejected(t, (PJRT_Buffer_Type)types[i], sample_dims, 1);
}

void rule_upload_rejects_missing_data(struct rule_context *t)
{
    NEED_CLIENT(t);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, NULL);
    CHECK_ERROR(t, sample_try(t, &args));
}

void rule_upload_rejects_missing_places(struct rule_context *t)
{
    float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.device = NULL;
    CHECK_ERROR(t, sample_try(t, &args));
}

void rule_upload_rejects_wrong_strides(struct rule_context *t)
{
    const int64_t strides[] = {4, 4};
    float values[SAMPLE];
    NEED_CLIENT(t);
    sample_fill(values);
    PJRT_Client_BufferFromHostBuffer_Args args = sample_arguments(t, values);
    args.byte_strides = strides;
    args.num_byte_strides = 2;
    CHECK_ERROR(t, sample_try(t, &args));
}

/* 2^57 bytes: more than any device, or any address space, has. */
void rule_upload_rejects_more_than_there_is(struct rule_context *t)
{
    const int64_t dims[] = {(int64_t)1 << 55};
    NEED_CLIENT(t);
    ARGS(t, Client_CreateUninitializedBuffer, args, .client = t->client, .shape_dims = dims,
         .shape_num_dims = 1, .shape_element_type = PJRT_Buffer_Type_F32, .device = t->device);
    NEED_FUNCTION(t, Client_CreateUninitializedBuffer);
    struct error *error = CALL(t, Client_CreateUninitializedBuffer, &args);
    if (!error) { /* it may be allocated later */
        error = buffer_await(t, args.buffer);
        DESTROY(t, Buffer, buffer, args.buffer);
    }
    CHECK_ERROR(t, error);
    PJRT_Buffer *buffer;
    NEED_OK(t, sample_upload(t, &buffer));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}
