/* The runtime on devices/null, whose memory the host cannot address: dereferencing its addresses
 * would fault, and bypassing device_ops.copy would yield other bytes. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "devices/null/null_library.h"
#include "runtime/buffer_to_host.h"
#include "runtime/execute.h"
#include "runtime/fake_device.h"
#include "runtime/transfer.h"

static struct client *client;
static struct client_memory *memory;

static void setup(void)
{
    struct device_options options = {.device_count = 2};
    cr_assert_null(client_create(null_library(), &options, &client));
    memory = &client->devices[0]->memories[0];
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(hidden_memory, .init = setup, .fini = teardown);

static struct shape of(enum dtype dtype, int rank, const int64_t *dims,
                       const int64_t *minor_to_major)
{
    return (struct shape){
        .dtype = dtype, .rank = rank, .dims = dims, .minor_to_major = minor_to_major};
}

static void await(struct event *event)
{
    struct error *error = event_await(event);
    cr_assert_null(error, "%s", error_message(error, NULL));
    event_release(event);
}

static struct buffer *upload(const struct shape *shape, const struct host_array *array,
                             enum host_semantics semantics)
{
    struct event *done;
    struct buffer *buffer;
    cr_assert_null(buffer_from_host(memory, shape, array, semantics, &done, &buffer));
    await(done);
    return buffer;
}

static void download(struct buffer *buffer, void *to, uint64_t size)
{
    struct event *done;
    cr_assert_null(buffer_to_host(buffer, NULL, to, size, &done));
    await(done);
}

static const int32_t six[6] = {0, 1, 2, 3, 4, 5};
static const int64_t dims[2] = {2, 3}, column_major[2] = {0, 1};

Test(hidden_memory, layouts_both_ways)
{
    int32_t got[6];
    int64_t strides[2] = {-12, -4};
    struct shape row = of(DTYPE_S32, 2, dims, NULL), column = of(DTYPE_S32, 2, dims, column_major);
    struct host_array plain = {.data = six, .shape = row},
                      backward = {.data = six + 5, .shape = row, .byte_strides = strides};
    for (int semantics = 0; semantics < 4; semantics++) {
        struct buffer *buffer = upload(&column, &plain, (enum host_semantics)semantics);
        struct event *done;
        cr_expect_not(buffer_is_on_host(buffer));
        download(buffer, got, sizeof got);
        cr_expect_eq(memcmp(got, six, sizeof got), 0);
        cr_assert_null(buffer_to_host(buffer, &column, got, sizeof got, &done));
        await(done);
        cr_expect_eq(memcmp(got, (int32_t[]){0, 3, 1, 4, 2, 5}, sizeof got), 0);
        cr_assert_null(buffer_raw_to_host(buffer, got, 4, 8, &done));
        await(done);
        cr_expect_eq(memcmp(got, (int32_t[]){3, 1}, 8), 0);
        buffer_release(buffer);
    }
    struct buffer *buffer = upload(&row, &backward, 0);
    download(buffer, got, sizeof got);
    cr_expect_eq(memcmp(got, (int32_t[]){5, 4, 3, 2, 1, 0}, sizeof got), 0);
    buffer_release(buffer);
}

Test(hidden_memory, narrow_types_arrive_in_the_programs_form)
{
    const uint8_t from[3] = {0x0F, 0xF7, 0x28};
    int64_t three = 3;
    uint8_t got[3];
    struct shape shape = of(DTYPE_S4, 1, &three, NULL);
    struct host_array array = {.data = from, .shape = shape};
    struct buffer *buffer = upload(&shape, &array, 0);
    download(buffer, got, sizeof got);
    cr_expect_eq(memcmp(got, (uint8_t[]){0xFF, 0x07, 0xF8}, 3), 0);
    buffer_release(buffer);
}

/* Large arrays, on another thread; zero copy is not possible. */
Test(hidden_memory, large_arrays)
{
    int64_t count = 3 << 20;
    size_t size = (size_t)count * sizeof(int32_t);
    int32_t *data = aligned_alloc(64, size), *got = aligned_alloc(64, size);
    for (int64_t i = 0; i < count; i++)
        data[i] = (int32_t)i;
    struct shape shape = of(DTYPE_S32, 1, &count, NULL);
    struct host_array array = {.data = data, .shape = shape};
    struct buffer *buffer = upload(&shape, &array, HOST_MUTABLE_ZERO_COPY);
    data[7] = -1; /* the copy is complete, so the client may reuse the memory */
    download(buffer, got, size);
    data[7] = 7;
    cr_expect_eq(memcmp(got, data, size), 0);
    buffer_release(buffer);
    free(data), free(got);
}

Test(hidden_memory, copies_between_memories_and_devices)
{
    int32_t got[6];
    struct shape row = of(DTYPE_S32, 2, dims, NULL), column = of(DTYPE_S32, 2, dims, column_major);
    struct host_array array = {.data = six, .shape = row};
    struct buffer *buffer = upload(&column, &array, 0), *host, *other;
    cr_assert_null(buffer_copy_to_memory(buffer, &client->devices[0]->memories[1], &host));
    cr_assert_null(buffer_copy_to_memory(host, &client->devices[1]->memories[0], &other));
    buffer_release(buffer), buffer_release(host);
    cr_expect_eq(buffer_shape(other)->minor_to_major[0], 0);
    download(other, got, sizeof got);
    cr_expect_eq(memcmp(got, six, sizeof got), 0);
    buffer_release(other);
}

/* Large transposing copies allocate memory on another thread. If that fails, the events report the
 * error, and nothing leaks. */
static struct error *transposed_copies(int32_t *data, int32_t *got)
{
    static const int64_t wide[2] = {1 << 10, 1 << 10};
    struct shape row = of(DTYPE_S32, 2, wide, NULL), column = of(DTYPE_S32, 2, wide, column_major);
    struct host_array array = {.data = data, .shape = row};
    struct event *done;
    struct buffer *buffer;
    TRY(buffer_from_host(memory, &column, &array, HOST_IMMUTABLE_UNTIL_TRANSFER_COMPLETES, &done,
                         &buffer));
    struct error *error = event_await(done);
    event_release(done);
    if (!error)
        error = buffer_to_host(buffer, NULL, got, sizeof(int32_t) << 20, &done);
    if (!error && done) {
        error = event_await(done);
        event_release(done);
    }
    buffer_release(buffer);
    return error;
}

Test(hidden_memory, without_memory)
{
    int32_t *data = calloc(1 << 20, sizeof *data), *got = calloc(1 << 20, sizeof *got);
    struct space_stats stats;
    int failed = 0;
    cr_assert_null(transposed_copies(data, got));
    for (int n = 1;; n++) {
        alloc_fail_at(n);
        struct error *error = transposed_copies(data, got);
        alloc_fail_at(0);
        if (!error)
            break;
        failed++;
        cr_expect_eq(error_code(error), PJRT_Error_Code_RESOURCE_EXHAUSTED, "allocation %d: %s", n,
                     error_message(error, NULL));
        error_free(error);
    }
    cr_expect_gt(failed, 4);
    for (int i = 0; i < 1 << 20; i++)
        data[i] = i;
    cr_assert_null(transposed_copies(data, got));
    cr_expect_eq(memcmp(data, got, sizeof(int32_t) << 20), 0);
    space_stats(memory->space, &stats);
    cr_expect_eq(stats.live, 0);
    free(data), free(got);
}

Test(hidden_memory, transfers)
{
    int32_t got[6];
    struct shape shapes[2] = {of(DTYPE_S32, 2, dims, NULL), of(DTYPE_S32, 2, dims, column_major)};
    struct host_array array = {.data = six, .shape = shapes[0]};
    struct transfer_manager *manager;
    struct buffer *buffers[2];
    struct event *done;
    cr_assert_null(transfer_create(memory, 2, shapes, &manager));
    for (int i = 0; i < 2; i++)
        cr_assert_null(transfer_retrieve(manager, i, &buffers[i]));
    cr_assert_null(transfer_bytes(manager, 0, six + 4, 16, 8, false, &done));
    await(done);
    cr_assert_null(transfer_bytes(manager, 0, six, 0, 16, true, &done));
    await(done);
    cr_assert_null(transfer_array(manager, 1, &array, &done));
    await(done);
    transfer_destroy(manager);
    for (int i = 0; i < 2; i++) {
        download(buffers[i], got, sizeof got);
        cr_expect_eq(memcmp(got, six, sizeof got), 0, "buffer %d", i);
        buffer_release(buffers[i]);
    }
}

Test(hidden_memory, promises)
{
    int32_t got[6];
    struct shape row = of(DTYPE_S32, 2, dims, NULL), column = of(DTYPE_S32, 2, dims, column_major);
    struct host_array array = {.data = six, .shape = row};
    struct buffer *source = upload(&column, &array, 0), *promised;
    struct promise *promise;
    struct event *done;
    cr_assert_null(transfer_promise_buffer(memory, &row, &promised, &promise));
    cr_assert_null(transfer_fulfill_buffer(promise, source, NULL));
    download(promised, got, sizeof got);
    cr_expect_eq(memcmp(got, six, sizeof got), 0);
    cr_assert_null(transfer_promise_copy(source, 8, 4, &done, &promise));
    transfer_fulfill_copy(promise, got, NULL);
    await(done);
    cr_expect_eq(got[0], 1);
    buffer_release(source), buffer_release(promised);
}

/* Results, donation in place, and failures, which become errors of the results. */
Test(hidden_memory, executions)
{
    for (int cost = 1; cost <= 1 << 30; cost = cost == 1 ? 1 << 30 : cost + 1) {
        int64_t four = 4;
        float data[4] = {1, 2, 3, 4}, got[4] = {9, 9, 9, 9};
        struct shape shape = of(DTYPE_F32, 1, &four, NULL);
        struct host_array array = {.data = data, .shape = shape};
        struct buffer *argument = upload(&shape, &array, 0), *result;
        struct buffer *const *lists[] = {&argument};
        struct buffer **const outputs[] = {&result};
        struct loaded_executable *loaded;
        void *before, *after;
        cr_assert_null(fake_load(client, "p", 1, 4, true, cost, &loaded));
        struct execute_request request = {.executable = loaded,
                                          .device_count = 1,
                                          .argument_count = 1,
                                          .arguments = lists,
                                          .results = outputs};
        cr_assert_null(buffer_address(argument, &before));
        cr_assert_null(execute(&request));
        cr_assert_null(buffer_address(result, &after));
        cr_expect_eq(before, after);
        download(result, got, sizeof got);
        for (int i = 0; i < 4; i++)
            cr_expect_eq(got[i], 0);
        buffer_release(argument), buffer_release(result);
        loaded_executable_release(loaded);
    }
}
