/* copy_test.c: copies in progress, on a device that starts a copy only when the test allows it. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/error_fixture.h"
#include "runtime/buffer_to_host.h"
#include "runtime/execute.h"
#include "runtime/fake_device.h"
#include "runtime/transfer.h"

enum { COUNT = 256, MAX_HELD = 16 };

static struct client *client;
static struct client_memory *memory, *pinned;
static int64_t baseline;
static int destroyed;

/* ---- the device ------------------------------------------------------------------------------ */
static struct device_copy held[MAX_HELD];
static int held_count;

static struct error *hold_copy(struct device *device, const struct device_copy *copy)
{
    (void)device;
    if (!copy->done)
        return host_copy(copy, NULL);
    if (held_count == MAX_HELD)
        return ERROR(INTERNAL, "too many copies");
    held[held_count++] = *copy;
    return NULL;
}

/* Completes the first delayed copy, with an error (moved) or by copying its bytes. */
static void end_copy(struct error *error)
{
    cr_assert_gt(held_count, 0, "no copy is under way");
    struct device_copy copy = held[0], plain = copy;
    memmove(held, held + 1, (size_t)--held_count * sizeof *held);
    plain.done = NULL;
    if (!error)
        error = host_copy(&plain, NULL);
    copy.done(error, copy.context);
}

static void hold_destroy(struct device *device)
{
    destroyed++;
    fake_destroy(device);
}

static struct error *hold_create(const struct device_options *options, int *count,
                                 struct device ***devices)
{
    static const struct device_ops ops = {
        .destroy = hold_destroy, .launch = fake_launch, .copy = hold_copy, .address = fake_address};
    TRY(fake_create(options, count, devices));
    for (int i = 0; i < *count; i++) {
        (*devices)[i]->ops = &ops;
        (*devices)[i]->immediate_copy_bytes = 0;
    }
    return NULL;
}

static const struct device_library hold_library = {
    .name = "hold", .platform_name = "hold", .create = hold_create};

static void setup(void)
{
    baseline = fake_warm_up();
    cr_assert_null(client_create(&hold_library, &(struct device_options){0}, &client));
    memory = &client->devices[0]->memories[0];
    pinned = &client->devices[0]->memories[1];
    destroyed = 0;
}

static void teardown(void)
{
    if (client)
        client_close(client);
    space_trim();
    cr_expect_eq(destroyed, 2);
    cr_expect_eq(alloc_live(), baseline, "%lld allocations left",
                 (long long)(alloc_live() - baseline));
}

TestSuite(copy, .init = setup, .fini = teardown);

/* ---- helpers --------------------------------------------------------------------------------- */
static const int64_t count = COUNT;
static const struct shape floats = {.dtype = DTYPE_F32, .rank = 1, .dims = &count};
static float numbers[COUNT];

static struct host_array array_of_numbers(void)
{
    for (int i = 0; i < COUNT; i++)
        numbers[i] = (float)i;
    return (struct host_array){.data = numbers, .shape = floats};
}

/* Starts an upload, which is then in progress. */
static struct buffer *upload(void)
{
    struct host_array array = array_of_numbers();
    struct event *done;
    struct buffer *buffer;
    cr_assert_null(buffer_from_host(memory, &floats, &array,
                                    HOST_IMMUTABLE_UNTIL_TRANSFER_COMPLETES, &done, &buffer));
    cr_expect_not(event_is_ready(done), "the caller waited for the copy");
    event_release(done);
    return buffer;
}

static void is_numbers(const float *got)
{
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(got[i], (float)i, "element %d is %g", i, (double)got[i]);
}

static void fails_with(struct event *event, PJRT_Error_Code code)
{
    cr_assert(event_is_ready(event));
    struct error *error = event_error(event);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code);
    error_free(error);
    event_release(event);
}

/* ---- tests ----------------------------------------------------------------------------------- */
/* Every entry point returns while its copy is in progress. */
Test(copy, no_caller_waits)
{
    float got[3][COUNT];
    struct event *done[5];
    struct buffer *first = upload(), *second, *third;
    struct transfer_manager *manager;
    struct promise *promise;
    struct host_array array = array_of_numbers();
    cr_assert_null(buffer_to_host(first, NULL, got[0], sizeof got[0], &done[0]));
    cr_assert_null(buffer_raw_to_host(first, got[1], 0, sizeof got[1], &done[1]));
    cr_assert_null(buffer_copy_to_memory(first, pinned, &second));
    cr_assert_null(transfer_promise_buffer(memory, &floats, &third, &promise));
    cr_assert_null(transfer_fulfill_buffer(promise, second, NULL));
    cr_assert_null(transfer_promise_copy(third, 0, sizeof got[2], &done[2], &promise));
    transfer_fulfill_copy(promise, got[2], NULL);
    cr_expect_eq(held_count, 1, "copies begin before their sources are ready");
    cr_assert_null(transfer_create(pinned, 2, (struct shape[]){floats, floats}, &manager));
    cr_assert_null(transfer_bytes(manager, 0, numbers, 0, sizeof numbers, true, &done[3]));
    cr_assert_null(transfer_array(manager, 1, &array, &done[4]));
    transfer_destroy(manager);
    for (int i = 0; i < 5; i++)
        cr_expect_not(event_is_ready(done[i]), "call %d waited", i);
    while (held_count)
        end_copy(NULL);
    for (int i = 0; i < 5; i++) {
        cr_expect(event_is_good(done[i]));
        event_release(done[i]);
    }
    for (int i = 0; i < 3; i++)
        is_numbers(got[i]);
    buffer_release(first), buffer_release(second), buffer_release(third);
}

/* Buffers and the client are released while a copy of a copy is in progress. */
Test(copy, goes_on_without_buffers_and_client)
{
    float got[COUNT];
    struct event *done;
    struct buffer *first = upload(), *second, *third;
    cr_assert_null(buffer_copy_to_memory(first, pinned, &second));
    cr_assert_null(buffer_copy_to_memory(second, &client->devices[1]->memories[0], &third));
    cr_assert_null(buffer_to_host(third, NULL, got, sizeof got, &done));
    buffer_release(first), buffer_release(second), buffer_release(third);
    client_close(client);
    client = NULL;
    for (int i = 0; i < 4; i++) {
        cr_expect_eq(destroyed, 0, "the devices were destroyed before copy %d", i);
        end_copy(NULL);
    }
    cr_expect(event_is_good(done));
    event_release(done);
    is_numbers(got);
}

/* A promise that is fulfilled after the client was destroyed. */
Test(copy, promise_outlives_client)
{
    float got[COUNT];
    struct event *done;
    struct promise *promise;
    struct buffer *buffer = upload();
    end_copy(NULL);
    cr_assert_null(transfer_promise_copy(buffer, 0, sizeof got, &done, &promise));
    buffer_release(buffer);
    client_close(client);
    client = NULL;
    cr_expect_eq(destroyed, 0);
    fails_with(done, PJRT_Error_Code_CANCELLED);
    transfer_fulfill_copy(promise, got, NULL);
    while (held_count)
        end_copy(NULL);
}

/* The error of the first copy propagates to everything derived from it. */
Test(copy, errors_in_a_chain)
{
    float got[COUNT];
    struct event *done[2];
    struct promise *promise;
    struct buffer *all[5] = {upload()};
    struct loaded_executable *loaded;
    cr_assert_null(buffer_copy_to_memory(all[0], pinned, &all[1]));
    cr_assert_null(buffer_bitcast(all[1], &floats, &all[2]));
    cr_assert_null(transfer_promise_buffer(memory, &floats, &all[3], &promise));
    cr_assert_null(transfer_fulfill_buffer(promise, all[2], NULL));
    cr_assert_null(fake_load(client, "add", 1, COUNT, false, 1, &loaded));
    struct buffer *const *lists[] = {&all[3]};
    struct buffer **const outputs[] = {&all[4]};
    struct execute_request request = {.executable = loaded,
                                      .device_count = 1,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs};
    cr_assert_null(execute(&request));
    cr_assert_null(buffer_to_host(all[4], NULL, got, sizeof got, &done[0]));
    cr_assert_null(buffer_raw_to_host(all[2], got, 0, 8, &done[1]));
    end_copy(ERROR(DATA_LOSS, "the bytes are lost"));
    cr_expect_eq(held_count, 0, "a copy of an error begins");
    for (int i = 0; i < 2; i++) {
        error_free(event_await(done[i]));
        fails_with(done[i], PJRT_Error_Code_DATA_LOSS);
    }
    for (int i = 0; i < 5; i++) {
        fails_with(buffer_ready_event(all[i]), PJRT_Error_Code_DATA_LOSS);
        buffer_release(all[i]);
    }
    loaded_executable_release(loaded);
}

/* A buffer is deleted or donated while it is read. */
Test(copy, reads_what_was_there)
{
    float got[COUNT], changed[COUNT];
    struct event *done, *ready, *now;
    struct storage_hold hold;
    struct buffer *buffer = upload();
    end_copy(NULL);
    cr_assert_null(buffer_to_host(buffer, NULL, got, sizeof got, &done));
    cr_assert_null(buffer_donate(buffer, &hold, &ready));
    cr_expect_not(storage_may_write(&hold), "memory is written while it is copied");
    expect(buffer_to_host(buffer, NULL, changed, sizeof changed, &now),
           PJRT_Error_Code_FAILED_PRECONDITION);
    end_copy(NULL);
    cr_expect(storage_may_write(&hold));
    is_numbers(got);
    storage_drop(&hold);
    event_release(ready), event_release(done);
    buffer_release(buffer);
}

/* Another client's buffers and memories. */
Test(copy, belongs_to_one_client)
{
    struct client *other;
    struct promise *promise;
    struct buffer *buffer = upload(), *promised, *copy;
    end_copy(NULL);
    cr_assert_null(client_create(&hold_library, &(struct device_options){0}, &other));
    struct client_memory *far = &other->devices[0]->memories[0];
    expect(buffer_copy_to_memory(buffer, far, &copy), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_null(copy);
    cr_assert_null(transfer_promise_buffer(far, &floats, &promised, &promise));
    expect(transfer_fulfill_buffer(promise, buffer, NULL), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(transfer_fulfill_buffer(promise, NULL, ERROR(ABORTED, "given up")));
    buffer_release(promised), buffer_release(buffer);
    client_close(other);
    destroyed -= 2;
}

/* ---- exhausted memory ------------------------------------------------------------------------ */
/* Completes all copies in progress, and frees the event's error. */
static struct error *end_all(struct event *event)
{
    while (held_count)
        end_copy(NULL);
    struct error *error = event_await(event);
    event_release(event);
    return error;
}

static struct error *copies(void)
{
    float got[COUNT];
    struct host_array array = array_of_numbers();
    struct event *done;
    struct buffer *first, *second = NULL;
    TRY(buffer_from_host(memory, &floats, &array, HOST_IMMUTABLE_UNTIL_TRANSFER_COMPLETES, &done,
                         &first));
    struct error *error = buffer_copy_to_memory(first, pinned, &second);
    error = error_join(error, end_all(done));
    if (second) {
        struct error *failure = buffer_to_host(second, NULL, got, sizeof got, &done);
        error = error_join(error, failure ? failure : end_all(done));
        buffer_release(second);
    }
    buffer_release(first);
    return error;
}

static struct error *pieces(void)
{
    struct transfer_manager *manager;
    struct buffer *buffer;
    struct event *done;
    array_of_numbers();
    TRY(transfer_create(memory, 1, &floats, &manager));
    struct error *error = transfer_retrieve(manager, 0, &buffer);
    for (int i = 0; i < 4 && !error; i++) {
        error = transfer_bytes(manager, 0, numbers, 0, sizeof numbers, i == 3, &done);
        if (!error)
            error = end_all(done);
    }
    transfer_destroy(manager);
    struct event *ready = buffer_ready_event(buffer);
    error = error_join(error, event_await(ready));
    event_release(ready);
    buffer_release(buffer);
    return error;
}

static struct error *promises(void)
{
    float got[COUNT];
    struct host_array array = array_of_numbers();
    struct promise *promise = NULL;
    struct event *done;
    struct buffer *first, *second;
    TRY(buffer_from_host(memory, &floats, &array, HOST_IMMUTABLE_ONLY_DURING_CALL, &done, &first));
    event_release(done);
    struct error *error = transfer_promise_buffer(memory, &floats, &second, &promise);
    if (!error) {
        error = transfer_fulfill_buffer(promise, first, NULL);
        if (error)
            error_free(transfer_fulfill_buffer(promise, NULL, ERROR(ABORTED, "given up")));
        struct error *failure = end_all(buffer_ready_event(second));
        error = error ? (error_free(failure), error) : failure;
        buffer_release(second);
    }
    if (!error)
        error = transfer_promise_copy(first, 0, sizeof got, &done, &promise);
    if (!error) {
        transfer_fulfill_copy(promise, got, NULL);
        error = end_all(done);
    }
    buffer_release(first);
    return error;
}

/* Repeats `work` with the n-th allocation failing, for increasing n until none fails. */
static void sweep(struct error *(*work)(void))
{
    cr_assert_null(work());
    int64_t live = alloc_live();
    for (int n = 1;; n++) {
        alloc_fail_at(n);
        struct error *error = work();
        alloc_fail_at(0);
        cr_expect_leq(alloc_live(), live + (error != NULL) * 4, "allocation %d: %lld are left", n,
                      (long long)(alloc_live() - live));
        if (!error)
            break;
        expect(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
        cr_expect_eq(alloc_live(), live, "allocation %d: %lld are left", n,
                     (long long)(alloc_live() - live));
    }
    cr_expect_null(work());
}

Test(copy, without_memory)
{
    sweep(copies);
    sweep(pieces);
    sweep(promises);
}
