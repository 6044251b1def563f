#include "runtime/transfer.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/error_fixture.h"
#include "runtime/buffer_to_host.h"
#include "runtime/fake_device.h"

static struct client *client;
static struct client_memory *memory;

static void setup(void)
{
    cr_assert_null(client_create(&fake_library, NULL, &client));
    memory = &client->devices[0]->memories[0];
}

static void teardown(void)
{
    client_close(client);
}

TestSuite(transfer, .init = setup, .fini = teardown);

static const int32_t six[6] = {0, 1, 2, 3, 4, 5};
static const int64_t dims[2] = {2, 3}, column_major[2] = {0, 1};
static const struct shape row = {.dtype = DTYPE_S32, .rank = 2, .dims = dims},
                          column = {.dtype = DTYPE_S32,
                                    .rank = 2,
                                    .dims = dims,
                                    .minor_to_major = column_major};

static struct buffer *upload(const struct shape *shape)
{
    struct event *done;
    struct buffer *buffer;
    struct host_array array = {.data = six, .shape = row};
    cr_assert_null(buffer_from_host(memory, shape, &array, 0, &done, &buffer));
    event_release(done);
    return buffer;
}

/* Awaits the buffer, and checks that its elements equal those of `six` in any layout. */
static void expect_six(struct buffer *buffer)
{
    int32_t got[6] = {0};
    struct event *done;
    cr_assert_null(buffer_to_host(buffer, NULL, got, sizeof got, &done));
    cr_expect_null(event_await(done));
    event_release(done);
    cr_expect_eq(memcmp(got, six, sizeof got), 0);
}

/* The layout of donated memory is that of its new buffer. */
Test(transfer, donated_memory_keeps_its_layout)
{
    struct buffer *buffer = upload(&column), *out;
    struct promise *promise;
    cr_assert_null(transfer_promise_donated(buffer, &out, &promise));
    transfer_fulfill_donated(promise, NULL);
    cr_expect(shape_equal(buffer_shape(out), buffer_shape(buffer)));
    expect_six(out);
    buffer_release(buffer), buffer_release(out);
}

/* The elements are stored in the promised layout. */
Test(transfer, promised_buffers_convert_layouts)
{
    const struct shape *shapes[] = {&row, &column};
    for (int i = 0; i < 4; i++) {
        struct buffer *source = upload(shapes[i / 2]), *promised;
        struct promise *promise;
        cr_assert_null(transfer_promise_buffer(memory, shapes[i % 2], &promised, &promise));
        cr_assert_null(transfer_fulfill_buffer(promise, source, NULL));
        cr_expect(shape_same_layout(buffer_shape(promised), shapes[i % 2]));
        expect_six(promised);
        buffer_release(source), buffer_release(promised);
    }
}

Test(transfer, managers_fill_any_layout)
{
    struct shape shapes[] = {row, column};
    for (int i = 0; i < 4; i++) {
        struct transfer_manager *manager;
        struct buffer *buffer;
        struct event *done;
        int32_t transposed[6] = {0, 3, 1, 4, 2, 5};
        struct host_array array = {.data = i / 2 ? transposed : six, .shape = shapes[i / 2]};
        cr_assert_null(transfer_create(memory, 1, &shapes[i % 2], &manager));
        cr_assert_null(transfer_array(manager, 0, &array, &done));
        cr_expect_null(event_await(done));
        event_release(done);
        cr_assert_null(transfer_retrieve(manager, 0, &buffer));
        transfer_destroy(manager);
        expect_six(buffer);
        buffer_release(buffer);
    }
}

/* A failed donation leaves the buffer unchanged. */
Test(transfer, donation_is_rolled_back)
{
    for (int64_t n = 1, done = 0; !done; n++) {
        struct buffer *buffer = upload(&column), *out;
        struct promise *promise;
        alloc_fail_at(n);
        struct error *error = transfer_promise_donated(buffer, &out, &promise);
        alloc_fail_at(0);
        done = !error;
        if (error) {
            expect(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
            expect_six(buffer);
        } else {
            transfer_fulfill_donated(promise, NULL);
            buffer_release(out);
        }
        buffer_release(buffer);
    }
}

Test(transfer, what_is_missing_or_outside)
{
    struct transfer_manager *manager;
    struct buffer *buffer = upload(&row), *promised;
    struct promise *promise;
    struct event *done;
    struct host_array nothing = {.shape = row};
    cr_assert_null(transfer_create(memory, 1, &row, &manager));
    expect(transfer_bytes(manager, 0, NULL, 0, 4, false, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(transfer_bytes(manager, 0, six, 20, 8, false, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(transfer_bytes(manager, 0, six, UINT64_MAX, 8, false, &done),
           PJRT_Error_Code_INVALID_ARGUMENT);
    expect(transfer_bytes(manager, 1, six, 0, 8, false, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(transfer_array(manager, 0, &nothing, &done), PJRT_Error_Code_INVALID_ARGUMENT);
    transfer_destroy(manager);
    expect(transfer_promise_copy(buffer, 20, 8, &done, &promise), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(transfer_promise_copy(buffer, 0, 8, &done, &promise));
    transfer_fulfill_copy(promise, NULL, NULL);
    expect(event_await(done), PJRT_Error_Code_INVALID_ARGUMENT);
    event_release(done);
    cr_assert_null(transfer_promise_buffer(memory, &row, &promised, &promise));
    expect(transfer_fulfill_buffer(promise, NULL, NULL), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(transfer_fulfill_buffer(promise, NULL, ERROR(ABORTED, "x")));
    buffer_release(promised), buffer_release(buffer);
}

/* Large pieces are copied on other threads: the buffer is ready when all are copied. */
Test(transfer, large_pieces)
{
    enum { PIECES = 3 };
    const int64_t piece = 10 << 20, count = PIECES * piece;
    struct shape shape = {.dtype = DTYPE_U8, .rank = 1, .dims = &count};
    char *data = malloc((size_t)count), *got = malloc((size_t)count);
    struct transfer_manager *manager;
    struct event *done[PIECES], *copied;
    struct buffer *buffer;
    for (int64_t i = 0; i < count; i++)
        data[i] = (char)(i * 7 + i / 1000);
    cr_assert_null(transfer_create(memory, 1, &shape, &manager));
    cr_assert_null(transfer_retrieve(manager, 0, &buffer));
    for (int i = 0; i < PIECES; i++)
        cr_assert_null(transfer_bytes(manager, 0, data + i * piece, (uint64_t)(i * piece),
                                      (uint64_t)piece, i + 1 == PIECES, &done[i]));
    transfer_destroy(manager); /* copies in progress continue */
    cr_assert_null(buffer_to_host(buffer, NULL, got, (uint64_t)count, &copied));
    cr_expect_null(event_await(copied));
    cr_expect_eq(memcmp(got, data, (size_t)count), 0);
    for (int i = 0; i < PIECES; i++) {
        cr_expect_null(event_await(done[i]));
        event_release(done[i]);
    }
    event_release(copied), buffer_release(buffer);
    free(data), free(got);
}

Test(transfer, buffers_without_their_last_transfer_are_errors)
{
    struct transfer_manager *manager;
    struct buffer *buffer;
    struct event *done;
    cr_assert_null(transfer_create(memory, 1, &row, &manager));
    cr_assert_null(transfer_retrieve(manager, 0, &buffer));
    cr_assert_null(transfer_bytes(manager, 0, six, 0, 8, false, &done));
    event_release(done);
    transfer_destroy(manager);
    struct event *ready = buffer_ready_event(buffer);
    expect(event_await(ready), PJRT_Error_Code_CANCELLED);
    event_release(ready), buffer_release(buffer);
}

static void expect_circle(struct promise *promise, struct buffer *buffer)
{
    struct error *error = transfer_fulfill_buffer(promise, buffer, NULL);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), "only after"));
    error_free(error);
}

/* A buffer that waits for itself, by one promise or several, would never be ready. */
Test(transfer, promises_in_a_circle_are_refused)
{
    enum { COUNT = 3 };
    struct buffer *promised[COUNT], *source = upload(&row);
    struct promise *promises[COUNT];
    for (int i = 0; i < COUNT; i++)
        cr_assert_null(transfer_promise_buffer(memory, &row, &promised[i], &promises[i]));
    expect_circle(promises[0], promised[0]);
    for (int i = 0; i + 1 < COUNT; i++)
        cr_assert_null(transfer_fulfill_buffer(promises[i], promised[i + 1], NULL));
    expect_circle(promises[COUNT - 1], promised[0]);
    expect_circle(promises[COUNT - 1], promised[COUNT - 1]);
    cr_assert_null(transfer_fulfill_buffer(promises[COUNT - 1], source, NULL));
    for (int i = 0; i < COUNT; i++) {
        expect_six(promised[i]);
        buffer_release(promised[i]);
    }
    buffer_release(source);
}
