#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_fixture.h"
#include "runtime/buffer_to_host.h"
#include "runtime/fake_device.h"

static struct client *client;
static struct client_memory *memory;
static int64_t baseline;

static void setup(void)
{
    baseline = fake_warm_up();
    cr_assert_null(client_create(&fake_library, NULL, &client));
    memory = &client->devices[0]->memories[0];
}

static void teardown(void)
{
    client_release(client);
    space_trim();
    cr_expect_eq(alloc_live(), baseline, "%lld allocations left",
                 (long long)(alloc_live() - baseline));
}

TestSuite(buffer, .init = setup, .fini = teardown);

static struct shape of(enum dtype dtype, int rank, const int64_t *dims)
{
    return (struct shape){.dtype = dtype, .rank = rank, .dims = dims};
}

/* To a row-major buffer. */
static struct buffer *upload(const struct host_array *array, enum host_semantics semantics,
                             bool *done_at_once)
{
    struct event *done;
    struct buffer *buffer;
    struct shape shape = of(array->shape.dtype, array->shape.rank, array->shape.dims);
    struct error *error = buffer_from_host(memory, &shape, array, semantics, &done, &buffer);
    cr_assert_null(error, "%s", error_message(error, NULL));
    if (done_at_once)
        *done_at_once = event_is_ready(done);
    event_release(done);
    return buffer;
}

static struct buffer *numbers(int64_t count)
{
    static int32_t data[1 << 10];
    for (int i = 0; i < count; i++)
        data[i] = i;
    return upload(&(struct host_array){.data = data, .shape = of(DTYPE_S32, 1, &count)},
                  HOST_IMMUTABLE_ONLY_DURING_CALL, NULL);
}

static void download(struct buffer *buffer, void *to, uint64_t size)
{
    struct event *done;
    cr_assert_null(buffer_to_host(buffer, NULL, to, size, &done));
    cr_assert_null(event_await(done));
    event_release(done);
}

Test(buffer, small_arrays_are_copied_whatever_the_semantics)
{
    int32_t data[6] = {1, 2, 3, 4, 5, 6}, got[6];
    int64_t dims[2] = {2, 3};
    for (int semantics = 0; semantics < 4; semantics++) {
        bool done;
        struct buffer *buffer =
            upload(&(struct host_array){.data = data, .shape = of(DTYPE_S32, 2, dims)},
                   (enum host_semantics)semantics, &done);
        cr_expect(done);
        data[0] = 99;
        download(buffer, got, sizeof got);
        cr_expect_eq(got[0], 1);
        data[0] = 1;
        buffer_release(buffer);
    }
}

Test(buffer, large_aligned_arrays_are_shared_by_zero_copy)
{
    int64_t count = 1 << 16;
    int32_t *data = aligned_alloc(64, (size_t)count * 4);
    struct shape shape = of(DTYPE_S32, 1, &count);
    struct host_array array = {.data = data, .shape = shape};
    struct event *done;
    struct buffer *buffer;
    void *address;
    cr_assert_null(
        buffer_from_host(memory, &shape, &array, HOST_IMMUTABLE_ZERO_COPY, &done, &buffer));
    cr_assert_null(buffer_pointer(buffer, &address));
    cr_expect_eq(address, data);
    cr_expect_not(event_is_ready(done));
    buffer_release(buffer);
    cr_expect(event_is_ready(done));
    event_release(done);
    cr_assert_null(buffer_from_host(memory, &shape, &array, HOST_IMMUTABLE_UNTIL_TRANSFER_COMPLETES,
                                    &done, &buffer));
    cr_expect(event_is_ready(done));
    event_release(done), buffer_release(buffer);
    free(data);
}

/* Whether a zero-copy buffer in that memory is the array itself. */
static bool is_shared(struct client_memory *in, const struct host_array *array)
{
    struct event *done;
    struct buffer *buffer;
    void *address;
    cr_assert_null(
        buffer_from_host(in, &array->shape, array, HOST_IMMUTABLE_ZERO_COPY, &done, &buffer));
    cr_assert_null(buffer_pointer(buffer, &address));
    buffer_release(buffer);
    error_free(event_await(done));
    event_release(done);
    return address == array->data;
}

/* A device with memory of its own shares the host's memory too; pinned_host accepts only locked
 * memory in place. */
Test(buffer, zero_copy_to_host_memories)
{
    struct client *small;
    struct device_options options = {.memory_limit = {[MEMORY_DEVICE] = 1 << 24}};
    int64_t count = 1 << 16;
    size_t size = (size_t)count * 4;
    int32_t *data = aligned_alloc(4096, size);
    memset(data, 0, size);
    struct host_array array = {.data = data, .shape = of(DTYPE_S32, 1, &count)};
    cr_assert_null(client_create(&fake_library, &options, &small));
    struct client_memory *memories = small->devices[0]->memories;
    cr_expect_not(is_shared(&memories[MEMORY_DEVICE], &array));
    cr_expect(is_shared(&memories[MEMORY_UNPINNED_HOST], &array));
    cr_expect_not(is_shared(&memories[MEMORY_PINNED_HOST], &array));
    cr_assert_null(mapped_add(&small->mapped, data, size - 4));
    cr_expect_not(is_shared(&memories[MEMORY_PINNED_HOST], &array), "its end is not mapped");
    cr_assert_null(mapped_remove(&small->mapped, data));
    cr_assert_null(mapped_add(&small->mapped, data, size));
    cr_expect(is_shared(&memories[MEMORY_PINNED_HOST], &array));
    client_release(small);
    free(data);
}

Test(buffer, strides_negative_zero_and_transposed)
{
    int32_t data[6] = {0, 1, 2, 3, 4, 5}, got[6];
    int64_t dims[2] = {2, 3}, transposed_dims[2] = {3, 2};
    int64_t negative[2] = {-12, -4}, zero[2] = {0, 4}, transposed[2] = {4, 12};
    struct buffer *a = upload(&(struct host_array){.data = data + 5,
                                                   .shape = of(DTYPE_S32, 2, dims),
                                                   .byte_strides = negative},
                              0, NULL);
    struct buffer *b = upload(
        &(struct host_array){.data = data, .shape = of(DTYPE_S32, 2, dims), .byte_strides = zero},
        0, NULL);
    struct buffer *c = upload(&(struct host_array){.data = data,
                                                   .shape = of(DTYPE_S32, 2, transposed_dims),
                                                   .byte_strides = transposed},
                              0, NULL);
    download(a, got, sizeof got);
    cr_expect_eq(memcmp(got, (int32_t[]){5, 4, 3, 2, 1, 0}, sizeof got), 0);
    download(b, got, sizeof got);
    cr_expect_eq(memcmp(got, (int32_t[]){0, 1, 2, 0, 1, 2}, sizeof got), 0);
    download(c, got, sizeof got);
    cr_expect_eq(memcmp(got, (int32_t[]){0, 3, 1, 4, 2, 5}, sizeof got), 0);
    buffer_release(a), buffer_release(b), buffer_release(c);
}

Test(buffer, host_layouts_both_ways)
{
    int32_t data[6] = {0, 1, 2, 3, 4, 5}, got[6];
    int64_t dims[2] = {2, 3}, column_major[2] = {0, 1}, bad[2] = {1, 1};
    struct event *done;
    struct shape transposed = of(DTYPE_S32, 2, dims), wrong = transposed;
    transposed.minor_to_major = column_major, wrong.minor_to_major = bad;
    struct buffer *buffer =
        upload(&(struct host_array){.data = data, .shape = transposed}, 0, NULL);
    download(buffer, got, sizeof got);
    cr_expect_eq(memcmp(got, (int32_t[]){0, 2, 4, 1, 3, 5}, sizeof got), 0);
    cr_assert_null(buffer_to_host(buffer, &transposed, got, sizeof got, &done));
    cr_expect_eq(memcmp(got, data, sizeof got), 0);
    event_release(done);
    expect(buffer_to_host(buffer, &wrong, got, sizeof got, &done),
           PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_to_host(buffer, NULL, got, sizeof got - 1, &done),
           PJRT_Error_Code_INVALID_ARGUMENT);
    buffer_release(buffer);
}

Test(buffer, wrong_shapes)
{
    int64_t negative = -1, huge[3] = {INT64_C(1) << 40, INT64_C(1) << 40, 2},
            empty_dims[2] = {INT64_MAX, 0}, twice[2] = {1, 1};
    struct shape wrong[] = {of(DTYPE_F32, 1, &negative), of(DTYPE_F32, 3, huge),
                            of(DTYPE_F32, 1, NULL),      of(DTYPE_F32, 99, huge),
                            of(DTYPE_INVALID, 0, NULL),  of(DTYPE_F32, 2, empty_dims)};
    struct buffer *buffer;
    struct event *done;
    wrong[5].minor_to_major = twice;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct host_array array = {.data = wrong, .shape = wrong[i]};
        expect(buffer_uninitialized(memory, &wrong[i], &buffer), PJRT_Error_Code_INVALID_ARGUMENT);
        expect(buffer_with_error(memory, &wrong[i], ERROR(ABORTED, "x"), &buffer),
               PJRT_Error_Code_INVALID_ARGUMENT);
        expect(buffer_from_device_memory(memory, &wrong[i], NULL, NULL, NULL, &buffer),
               PJRT_Error_Code_INVALID_ARGUMENT);
        expect(buffer_from_host(memory, &wrong[i], &array, 0, &done, &buffer),
               PJRT_Error_Code_INVALID_ARGUMENT);
    }
    struct shape empty = of(DTYPE_F32, 2, empty_dims);
    cr_assert_null(buffer_uninitialized(memory, &empty, &buffer));
    cr_expect_eq(buffer_bytes(buffer), 0);
    buffer_release(buffer);
}

/* A missing array is an error, unless it is empty. */
Test(buffer, missing_memory)
{
    int64_t dims = 4, none = 0;
    struct shape four = of(DTYPE_S32, 1, &dims), empty = of(DTYPE_S32, 1, &none);
    struct host_array nothing = {.shape = four}, less = {.data = &four, .shape = empty};
    struct buffer *buffer, *numbers_buffer = numbers(4);
    struct event *done;
    expect(buffer_from_host(memory, &four, &nothing, 0, &done, &buffer),
           PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_from_host(memory, &four, &less, 0, &done, &buffer),
           PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_from_device_memory(memory, &four, NULL, NULL, NULL, &buffer),
           PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_to_host(numbers_buffer, NULL, NULL, 16, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_raw_to_host(numbers_buffer, NULL, 0, 4, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(buffer_raw_to_host(numbers_buffer, NULL, 4, 0, &done));
    event_release(done);
    cr_assert_null(buffer_from_device_memory(memory, &empty, NULL, NULL, NULL, &buffer));
    buffer_release(buffer), buffer_release(numbers_buffer);
}

Test(buffer, memory_limits_are_kept)
{
    struct client *small;
    struct buffer *buffer;
    struct device_options options = {.device_count = 1, .memory_limit = {4096}};
    int64_t count = 4096;
    struct shape shape = of(DTYPE_F32, 1, &count);
    cr_assert_null(client_create(&fake_library, &options, &small));
    struct client_memory *limited = &small->devices[0]->memories[0];
    expect(buffer_uninitialized(limited, &shape, &buffer), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    client_release(small);
}

Test(buffer, deleting_is_not_releasing)
{
    struct buffer *buffer = numbers(4);
    int32_t got[4];
    struct event *done;
    buffer_delete(buffer), buffer_delete(buffer);
    cr_expect(buffer_is_deleted(buffer));
    expect(buffer_to_host(buffer, NULL, got, sizeof got, &done),
           PJRT_Error_Code_FAILED_PRECONDITION);
    cr_expect_eq(buffer_shape(buffer)->dims[0], 4);
    cr_expect_eq(buffer_memory(buffer), memory);
    buffer_release(buffer);
}

Test(buffer, external_references_keep_the_bytes)
{
    struct buffer *buffer = numbers(4);
    void *address;
    struct space_stats stats;
    cr_assert_null(buffer_external_retain(buffer));
    cr_assert_null(buffer_external_retain(buffer));
    cr_assert_null(buffer_pointer(buffer, &address));
    buffer_delete(buffer);
    cr_expect_eq(((int32_t *)address)[3], 3);
    cr_assert_null(buffer_external_release(buffer));
    cr_expect_eq(((int32_t *)address)[3], 3);
    cr_assert_null(buffer_external_release(buffer));
    space_stats(memory->space, &stats);
    cr_expect_eq(stats.live, 0);
    expect(buffer_external_release(buffer), PJRT_Error_Code_FAILED_PRECONDITION);
    expect(buffer_external_retain(buffer), PJRT_Error_Code_FAILED_PRECONDITION);
    expect(buffer_pointer(buffer, &address), PJRT_Error_Code_FAILED_PRECONDITION);
    buffer_release(buffer);
}

/* The client deletes the argument of an execution that then fails to start. */
Test(buffer, deleted_while_donated)
{
    struct storage_hold hold;
    struct event *ready;
    struct space_stats stats;
    struct buffer *buffer = numbers(16);
    cr_assert_null(buffer_donate(buffer, &hold, &ready));
    buffer_delete(buffer);
    buffer_undo_donation(buffer, hold);
    cr_expect(buffer_is_deleted(buffer));
    expect(buffer_donate(buffer, &hold, &(struct event *){0}), PJRT_Error_Code_FAILED_PRECONDITION);
    space_stats(memory->space, &stats);
    cr_expect_eq(stats.live, 0, "the memory of a deleted buffer is not given back");
    event_release(ready);
    buffer_release(buffer);
}

Test(buffer, donation_moves_the_token)
{
    struct buffer *buffer = numbers(4);
    struct storage_hold hold, keeper;
    struct event *ready;
    cr_assert_null(buffer_donate(buffer, &hold, &ready));
    keeper = storage_keep(hold.storage);
    cr_expect(storage_may_write(&hold));
    cr_expect(buffer_is_deleted(buffer));
    expect(buffer_donate(buffer, &(struct storage_hold){0}, &(struct event *){0}),
           PJRT_Error_Code_FAILED_PRECONDITION);
    buffer_undo_donation(buffer, hold);
    cr_expect_not(buffer_is_deleted(buffer));
    cr_assert_null(buffer_external_retain(buffer));
    cr_assert_null(buffer_donate(buffer, &hold, &ready));
    cr_expect_not(storage_may_write(&hold));
    cr_assert_null(buffer_external_release(buffer));
    cr_expect(storage_may_write(&hold));
    storage_drop(&hold), storage_drop(&keeper);
    buffer_release(buffer);
}

/* While two buffers share memory, neither may write to it. */
Test(buffer, aliases_read_each_other)
{
    struct buffer *buffer = numbers(4), *view, *second;
    struct shape shape = *buffer_shape(buffer);
    struct storage_hold hold;
    struct event *ready;
    cr_assert_null(buffer_bitcast(buffer, &shape, &view));
    cr_assert_null(buffer_bitcast(view, &shape, &second));
    cr_assert_null(buffer_donate(view, &hold, &ready));
    cr_expect_not(storage_may_write(&hold));
    storage_drop(&hold);
    buffer_release(view);
    cr_assert_null(buffer_donate(buffer, &hold, &ready));
    cr_expect_not(storage_may_write(&hold));
    buffer_delete(second);
    cr_expect(storage_may_write(&hold));
    storage_drop(&hold);
    buffer_release(second), buffer_release(buffer);
}

Test(buffer, copies_between_memories_and_bitcasts)
{
    struct buffer *buffer = numbers(4), *copy, *view;
    int64_t bytes[2] = {4, 4}, three = 3;
    struct shape right = of(DTYPE_U8, 2, bytes), wrong = of(DTYPE_U8, 1, &three);
    int32_t got[4];
    cr_assert_null(buffer_copy_to_memory(buffer, &client->devices[1]->memories[1], &copy));
    cr_assert_null(buffer_bitcast(buffer, &right, &view));
    expect(buffer_bitcast(buffer, &wrong, &(struct buffer *){0}), PJRT_Error_Code_INVALID_ARGUMENT);
    buffer_release(buffer);
    download(copy, got, sizeof got);
    cr_expect_eq(got[3], 3);
    download(view, got, sizeof got);
    cr_expect_eq(got[3], 3);
    cr_expect_eq(buffer_memory(copy)->kind, MEMORY_PINNED_HOST);
    buffer_release(copy), buffer_release(view);
}

Test(buffer, raw_bytes_stay_inside)
{
    struct buffer *buffer = numbers(4);
    int32_t got = 0;
    struct event *done;
    cr_assert_null(buffer_raw_to_host(buffer, &got, 8, 4, &done));
    event_release(done);
    cr_expect_eq(got, 2);
    expect(buffer_raw_to_host(buffer, &got, 13, 4, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(buffer_raw_to_host(buffer, &got, UINT64_MAX, 2, &done),
           PJRT_Error_Code_INVALID_ARGUMENT);
    buffer_release(buffer);
}

Test(buffer, errors_travel)
{
    struct buffer *buffer, *copy;
    int64_t dims = 2;
    float got[2];
    struct shape shape = of(DTYPE_F32, 1, &dims);
    struct event *done;
    cr_assert_null(buffer_with_error(memory, &shape, ERROR(DATA_LOSS, "lost"), &buffer));
    cr_assert_null(buffer_copy_to_memory(buffer, memory, &copy));
    cr_assert_null(buffer_to_host(copy, NULL, got, sizeof got, &done));
    expect(event_await(done), PJRT_Error_Code_DATA_LOSS);
    event_release(done);
    expect(buffer_pointer(buffer, &(void *){0}), PJRT_Error_Code_DATA_LOSS);
    expect(buffer_address(buffer, &(void *){0}), PJRT_Error_Code_DATA_LOSS);
    buffer_delete(buffer);
    expect(buffer_address(buffer, &(void *){0}), PJRT_Error_Code_FAILED_PRECONDITION);
    buffer_release(buffer), buffer_release(copy);
}

static void count_delete(void *data, void *argument)
{
    (void)data;
    ++*(int *)argument;
}

Test(buffer, views_tell_when_they_end_and_outlive_the_client)
{
    static _Alignas(64) float data[16];
    int64_t dims = 16;
    struct shape shape = of(DTYPE_F32, 1, &dims);
    int deleted = 0;
    struct buffer *buffer;
    struct client *other;
    cr_assert_null(client_create(&fake_library, NULL, &other));
    cr_assert_null(buffer_from_device_memory(&other->devices[0]->memories[0], &shape, data,
                                             count_delete, &deleted, &buffer));
    client_close(other);
    cr_expect_eq(deleted, 0);
    buffer_release(buffer);
    cr_expect_eq(deleted, 1);
    expect(buffer_from_device_memory(memory, &shape, (char *)data + 4, count_delete, &deleted,
                                     &buffer),
           PJRT_Error_Code_INVALID_ARGUMENT);
}

Test(buffer, no_memory_anywhere)
{
    int32_t data[8] = {0};
    int64_t dims = 8;
    struct shape shape = of(DTYPE_S32, 1, &dims);
    struct host_array array = {.data = data, .shape = shape};
    struct buffer *first = numbers(8), *second = numbers(8); /* warm up: memory that stays cached */
    buffer_release(first), buffer_release(second);
    for (int64_t n = 1, done = 0; !done; n++) {
        struct event *event = NULL;
        struct buffer *buffer = NULL, *copy = NULL;
        int64_t live = alloc_live();
        alloc_fail_at(n);
        struct error *error = buffer_from_host(memory, &shape, &array, 0, &event, &buffer);
        if (!error)
            error = buffer_copy_to_memory(buffer, memory, &copy);
        alloc_fail_at(0);
        done = !error;
        if (error)
            expect(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
        buffer_release(buffer), buffer_release(copy), event_release(event);
        cr_expect_eq(alloc_live(), live, "allocation %lld", (long long)n);
    }
}
