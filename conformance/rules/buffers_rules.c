/* buffers_rules.c: area 10, sections 1 to 4: what buffers say, and how long they live. */
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_programs.h"

/* ---- 10.1 What a buffer says ----------------------------------------------------------------- */

static void check_place(struct rule_context *t, PJRT_Buffer *buffer)
{
    CHECK(t, buffer_device(t, buffer) == t->device, "the buffer is on another device");
    PJRT_Memory *memory = buffer_memory(t, buffer);
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++)
        if (list.all[i] == memory)
            return;
    rule_fail(t, "the buffer's memory is not one of its device");
}

static void check_shape(struct rule_context *t, PJRT_Buffer *buffer)
{
    ARGS(t, Buffer_ElementType, type, .buffer = buffer);
    ARGS(t, Buffer_Dimensions, shape, .buffer = buffer);
    CHECK_OK(t, CALL(t, Buffer_ElementType, &type));
    CHECK_OK(t, CALL(t, Buffer_Dimensions, &shape));
    CHECK(t, type.type == PJRT_Buffer_Type_F32, "type %d", (int)type.type);
    CHECK(t, shape.num_dims == 1 && shape.dims[0] == SAMPLE, "other dimensions");
}

void rule_buffers_know_their_device(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    check_place(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_keep_their_dimensions(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_Dimensions, first, .buffer = buffer);
    ARGS(t, Buffer_Dimensions, second, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_Dimensions, &first));
    NEED_OK(t, buffer_await(t, buffer));
    NEED_OK(t, CALL(t, Buffer_Dimensions, &second));
    CHECK(t, first.dims == second.dims, "the dimensions are elsewhere");
    CHECK(t, first.num_dims == 1 && first.dims[0] == SAMPLE, "the dimensions have changed");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_have_unpadded_dimensions(struct rule_context *t)
{
    const int64_t dims[] = {3, 5};
    static const float values[15];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array array = {PJRT_Buffer_Type_F32, 2, dims, values};
    NEED_OK(t, rule_upload(t, &array, &buffer));
    ARGS(t, Buffer_UnpaddedDimensions, args, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_UnpaddedDimensions, &args));
    CHECK(t, args.num_dims == 2 && !memcmp(args.unpadded_dims, dims, sizeof dims),
          "other dimensions");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_have_no_dynamic_dimensions(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    ARGS(t, Buffer_DynamicDimensionIndices, args, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_DynamicDimensionIndices, &args));
    CHECK(t, !args.num_dynamic_dims, "%zu dynamic dimensions", args.num_dynamic_dims);
    DESTROY(t, Buffer, buffer, buffer);
}

static void check_order(struct rule_context *t, const PJRT_Buffer_MemoryLayout_Tiled *tiled,
                        int64_t rank)
{
    int64_t seen = 0;
    NEED(t, tiled->minor_to_major_size == (size_t)rank, "%zu dimensions are ordered, of %lld",
         tiled->minor_to_major_size, (long long)rank);
    for (int64_t i = 0; i < rank; i++) {
        int64_t d = tiled->minor_to_major[i];
        NEED(t, d >= 0 && d < rank, "dimension %lld", (long long)d);
        seen |= (int64_t)1 << d;
    }
    CHECK(t, seen == ((int64_t)1 << rank) - 1, "a dimension is there twice");
}

void rule_buffers_have_layouts(struct rule_context *t)
{
    const int64_t dims[] = {2, 3, 4};
    static const float values[24];
    PJRT_Buffer *buffer;
    NEED_CLIENT(t);
    struct rule_array array = {PJRT_Buffer_Type_F32, 3, dims, values};
    NEED_OK(t, rule_upload(t, &array, &buffer));
    ARGS(t, Buffer_GetMemoryLayout, args, .buffer = buffer);
    NEED_OK(t, CALL(t, Buffer_GetMemoryLayout, &args));
    if (args.layout.type == PJRT_Buffer_MemoryLayout_Type_Tiled)
        check_order(t, &args.layout.tiled, 3);
    else
        CHECK(t, args.layout.strides.num_byte_strides == 3, "%zu strides of 3 dimensions",
              args.layout.strides.num_byte_strides);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_have_sizes(struct rule_context *t)
{
    const int64_t none[] = {0};
    float nothing = 0;
    PJRT_Buffer *empty;
    NEED_SAMPLE(t, buffer);
    struct rule_array array = {PJRT_Buffer_Type_F32, 1, none, &nothing};
    NEED_OK(t, rule_upload(t, &array, &empty));
    ARGS(t, Buffer_OnDeviceSizeInBytes, size, .buffer = buffer);
    ARGS(t, Buffer_OnDeviceSizeInBytes, size_of_empty, .buffer = empty);
    NEED_OK(t, CALL(t, Buffer_OnDeviceSizeInBytes, &size));
    NEED_OK(t, CALL(t, Buffer_OnDeviceSizeInBytes, &size_of_empty));
    CHECK(t, size.on_device_size_in_bytes >= SAMPLE_BYTES, "%zu bytes for %d",
          size.on_device_size_in_bytes, SAMPLE_BYTES);
    CHECK(t, size_of_empty.on_device_size_in_bytes <= 1 << 16, "no elements take %zu bytes",
          size_of_empty.on_device_size_in_bytes);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, Buffer, buffer, empty);
}

void rule_buffers_of_results_know_themselves(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    check_shape(t, result);
    check_place(t, result);
    CHECK(t, !buffer_is_deleted(t, result), "a result is deleted");
    sample_check(t, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_reject_null(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, Buffer_Dimensions, dimensions, .buffer = NULL);
    CHECK_ERROR(t, CALL(t, Buffer_Dimensions, &dimensions));
    ARGS(t, Buffer_ReadyEvent, ready, .buffer = NULL);
    CHECK_ERROR(t, CALL(t, Buffer_ReadyEvent, &ready));
    ARGS(t, Buffer_ToHostBuffer, to_host, .src = NULL);
    CHECK_ERROR(t, CALL(t, Buffer_ToHostBuffer, &to_host));
}

/* ---- 10.2 Deleted and destroyed buffers ------------------------------------------------------ */

/* Declares a buffer that is deleted. */
#define NEED_DELETED(t, buffer)                                                                    \
    NEED_SAMPLE(t, buffer);                                                                        \
    NEED_OK(t, buffer_delete(t, buffer))

void rule_buffers_say_whether_they_are_deleted(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    CHECK(t, !buffer_is_deleted(t, buffer), "a new buffer is deleted");
    NEED_OK(t, buffer_delete(t, buffer));
    CHECK(t, buffer_is_deleted(t, buffer), "a deleted buffer is not");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_can_be_deleted_again(struct rule_context *t)
{
    NEED_DELETED(t, buffer);
    for (int i = 0; i < 3; i++)
        NEED_OK(t, buffer_delete(t, buffer));
    CHECK(t, buffer_is_deleted(t, buffer), "a deleted buffer is not");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_keep_their_shape_when_deleted(struct rule_context *t)
{
    NEED_DELETED(t, buffer);
    check_shape(t, buffer);
    CHECK(t, buffer_device(t, buffer) == t->device, "a deleted buffer is on another device");
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_cannot_be_read_when_deleted(struct rule_context *t)
{
    float back[SAMPLE];
    NEED_DELETED(t, buffer);
    CHECK_ERROR(t, rule_download(t, buffer, back, sizeof back));
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_cannot_be_copied_when_deleted(struct rule_context *t)
{
    PJRT_Buffer *copy;
    NEED_DELETED(t, buffer);
    struct error *error = buffer_copy(t, buffer, memory_default(t, t->device), &copy);
    if (!error) {
        error = buffer_await(t, copy);
        DESTROY(t, Buffer, buffer, copy);
    }
    CHECK_ERROR(t, error);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_cannot_be_arguments_when_deleted(struct rule_context *t)
{
    NEED_DELETED(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    struct execution execution = {executable, &buffer, 1, NULL, NULL, 0, NULL, NULL};
    CHECK_ERROR(t, execute_fails(t, &execution));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_never_hang_when_deleted(struct rule_context *t)
{
    NEED_DELETED(t, buffer);
    error_free(buffer_await(t, buffer)); /* or the time limit */
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_can_be_destroyed_in_use(struct rule_context *t)
{
    PJRT_Buffer *results[20];
    NEED_CLIENT(t);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    for (int i = 0; i < 20; i++) {
        NEED_SAMPLE(t, buffer);
        NEED_OK(t, execute_one(t, executable, buffer, &results[i]));
        if (i % 2)
            CHECK_OK(t, buffer_delete(t, buffer));
        DESTROY(t, Buffer, buffer, buffer);
    }
    for (int i = 0; i < 20; i++) {
        sample_check(t, results[i]);
        DESTROY(t, Buffer, buffer, results[i]);
    }
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_can_be_destroyed_unready(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    for (int i = 0; i < 20; i++) {
        NEED_OK(t, execute_one(t, executable, buffer, &result));
        DESTROY(t, Buffer, buffer, result);
    }
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    sample_check(t, result);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

static PJRT_Buffer *shared_buffers[RULE_THREADS];

static void read_and_destroy(struct rule_context *t, int i)
{
    sample_check(t, shared_buffers[i]);
    DESTROY(t, Buffer, buffer, shared_buffers[i]);
}

void rule_buffers_change_threads(struct rule_context *t)
{
    NEED_CLIENT(t);
    for (int i = 0; i < RULE_THREADS; i++)
        NEED_OK(t, sample_upload(t, &shared_buffers[i]));
    rule_threads(t, read_and_destroy);
}

void rule_buffers_outlive_their_client(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    NEED_OK(t, buffer_await(t, buffer));
    rule_close(t);
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 10.3 External references ---------------------------------------------------------------- */

void rule_buffers_can_be_held(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    for (int i = 0; i < 5; i++)
        NEED_OK(t, buffer_hold(t, buffer));
    for (int i = 0; i < 5; i++)
        NEED_OK(t, buffer_release(t, buffer));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}

/* Whether elements can be read at the address where they were held. */
static void check_bytes(struct rule_context *t, const float *at, const char *when)
{
    float expected[SAMPLE];
    sample_fill(expected);
    for (int i = 0; i < SAMPLE; i++)
        NEED(t, at[i] == expected[i], "element %d has become %g %s", i, (double)at[i], when);
}

/* Declares the address of a held buffer on the host; skips the rule where there is none. */
#define NEED_HELD(t, buffer, address)                                                              \
    void *address;                                                                                 \
    NEED_SAMPLE(t, buffer);                                                                        \
    if (!buffer_is_on_cpu(t, buffer)) {                                                            \
        rule_skip(t, "buffers are not on the host");                                               \
        return;                                                                                    \
    }                                                                                              \
    NEED_OK(t, buffer_await(t, buffer));                                                           \
    NEED_OK(t, buffer_hold(t, buffer));                                                            \
    NEED_OK(t, buffer_address(t, buffer, &address))

void rule_buffers_keep_held_bytes(struct rule_context *t)
{
    PJRT_Buffer *others[20];
    NEED_HELD(t, buffer, address);
    NEED_OK(t, buffer_delete(t, buffer));
    for (int i = 0; i < 20; i++) { /* would be written to memory that is free */
        float values[SAMPLE] = {0};
        NEED_OK(t, rule_upload_floats(t, values, SAMPLE, &others[i]));
    }
    check_bytes(t, address, "after PJRT_Buffer_Delete");
    CHECK_OK(t, buffer_release(t, buffer));
    for (int i = 0; i < 20; i++)
        DESTROY(t, Buffer, buffer, others[i]);
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_keep_held_bytes_from_donation(struct rule_context *t)
{
    PJRT_Buffer *result = NULL;
    NEED_HELD(t, buffer, address);
    NEED_PROGRAM(t, executable, "twice_donated.mlirbc");
    struct error *error = execute_one(t, executable, buffer, &result);
    if (!error) {
        sample_check_times(t, result, 2);
        DESTROY(t, Buffer, buffer, result);
    }
    error_free(error);
    check_bytes(t, address, "after the donation");
    CHECK_OK(t, buffer_release(t, buffer));
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_reject_surplus_releases(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    CHECK_ERROR(t, buffer_release(t, buffer));
    NEED_OK(t, buffer_hold(t, buffer));
    NEED_OK(t, buffer_release(t, buffer));
    CHECK_ERROR(t, buffer_release(t, buffer));
    DESTROY(t, Buffer, buffer, buffer);
}

/* ---- 10.4 Copies ----------------------------------------------------------------------------- */

void rule_buffers_can_be_copied(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    struct memory_list list = memories_of(t, t->device);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_Buffer *copy;
        NEED_OK(t, buffer_copy(t, buffer, list.all[i], &copy));
        CHECK(t, buffer_memory(t, copy) == list.all[i], "the copy is not in memory %zu", i);
        check_shape(t, copy);
        sample_check(t, copy);
        DESTROY(t, Buffer, buffer, copy);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_have_independent_copies(struct rule_context *t)
{
    PJRT_Buffer *first, *second;
    NEED_SAMPLE(t, buffer);
    PJRT_Memory *memory = memory_default(t, t->device);
    NEED_OK(t, buffer_copy(t, buffer, memory, &first));
    NEED_OK(t, buffer_copy(t, buffer, memory, &second));
    CHECK_OK(t, buffer_delete(t, first));
    DESTROY(t, Buffer, buffer, first);
    sample_check(t, buffer);
    CHECK_OK(t, buffer_delete(t, buffer));
    DESTROY(t, Buffer, buffer, buffer);
    sample_check(t, second);
    DESTROY(t, Buffer, buffer, second);
}

void rule_buffers_can_be_copied_back(struct rule_context *t)
{
    NEED_SAMPLE(t, buffer);
    struct memory_list list = memories_of(t, t->device);
    PJRT_Memory *home = buffer_memory(t, buffer);
    for (size_t i = 0; i < list.count; i++) {
        PJRT_Buffer *away, *back;
        NEED_OK(t, buffer_copy(t, buffer, list.all[i], &away));
        NEED_OK(t, buffer_copy(t, away, home, &back));
        DESTROY(t, Buffer, buffer, away);
        CHECK(t, buffer_memory(t, back) == home, "the copy is in another memory");
        sample_check(t, back);
        DESTROY(t, Buffer, buffer, back);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

void rule_buffers_can_be_copied_before_they_are_ready(struct rule_context *t)
{
    PJRT_Buffer *result, *copy;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    NEED_OK(t, buffer_copy(t, result, memory_default(t, t->device), &copy));
    DESTROY(t, Buffer, buffer, result);
    sample_check(t, copy);
    DESTROY(t, Buffer, buffer, copy);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_buffers_reject_missing_memories(struct rule_context *t)
{
    PJRT_Buffer *copy;
    NEED_SAMPLE(t, buffer);
    CHECK_ERROR(t, buffer_copy(t, buffer, NULL, &copy));
    ARGS(t, Buffer_CopyToDevice, args, .buffer = buffer, .dst_device = NULL);
    CHECK_ERROR(t, CALL(t, Buffer_CopyToDevice, &args));
    sample_check(t, buffer);
    DESTROY(t, Buffer, buffer, buffer);
}
