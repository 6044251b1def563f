#include <string.h>

#include "runtime/execute_fixture.h"
#include "runtime/transfer.h"

TestSuite(execute, .init = setup, .fini = teardown);

Test(execute, cheap_programs_are_done_at_once)
{
    struct loaded_executable *loaded = load("add", 1, 4, false, CHEAP);
    struct buffer *argument = floats(4, 1), *result;
    cr_assert_null(run(loaded, 1, &argument, &result));
    struct event *ready = buffer_ready_event(result);
    cr_expect_eq(ready, event_ready());
    cr_expect_eq(first(result), 2);
    cr_expect_eq(first(argument), 1);
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}

Test(execute, an_argument_in_another_memory_kind_than_the_programs_is_an_error)
{
    struct loaded_executable *loaded = load("add", 1, 4, false, CHEAP);
    struct buffer *argument = floats(4, 1), *result = NULL;
    loaded->executable->program->parameters[0].shape.memory = MEMORY_PINNED_HOST;
    struct error *error = run(loaded, 1, &argument, &result);
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), "is in device memory, but was compiled for "
                                                 "pinned_host memory"),
              "%s", error_message(error, NULL));
    expect(error, PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_null(result);
    loaded->executable->program->parameters[0].shape.memory = MEMORY_DEVICE;
    cr_assert_null(run(loaded, 1, &argument, &result));
    cr_expect_eq(first(result), 2);
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}

/* The buffer that has the memory of a donated one. */
static struct buffer *donate(struct buffer *buffer)
{
    struct promise *promise;
    struct buffer *out;
    cr_assert_null(transfer_promise_donated(buffer, &out, &promise));
    transfer_fulfill_donated(promise, NULL);
    return out;
}

/* The elements are elsewhere in a buffer with sizes than in one without. */
Test(execute, an_argument_with_a_size_that_the_program_does_not_know_is_an_error)
{
    struct program_size size = {.of_result = true, .index = 1};
    struct loaded_executable *sized = load("add", 2, 4, false, CHEAP),
                             *add = load("add", 1, 4, false, CHEAP);
    struct buffer *arguments[2] = {floats(4, 1), floats(4, 5)}, *results[2] = {NULL}, *other = NULL;
    sized->executable->program->sizes = &size, sized->executable->program->size_count = 1;
    cr_assert_null(run(sized, 2, arguments, results));
    cr_assert_not_null(results[0]);
    cr_expect_null(results[1]);
    struct error *error = run(add, 1, results, &other);
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), "argument 0 of 'add' has a dynamic size in "
                                                 "dimension 0"),
              "%s", error_message(error, NULL));
    expect(error, PJRT_Error_Code_INVALID_ARGUMENT);
    struct buffer *donated = donate(results[0]);
    expect(run(add, 1, &donated, &other), PJRT_Error_Code_INVALID_ARGUMENT);
    sized->executable->program->sizes = NULL, sized->executable->program->size_count = 0;
    buffer_release(arguments[0]), buffer_release(arguments[1]), buffer_release(results[0]);
    buffer_release(donated);
    loaded_executable_release(sized), loaded_executable_release(add);
}

/* It has no memory here for the sizes that the program gets. */
Test(execute, a_device_of_another_process_is_an_error_before_sizes_are_made)
{
    struct program_size size = {.index = 1};
    struct client_device remote = {.client = client, .device = client->devices[1]->device};
    struct loaded_executable *sized = load("add", 2, 4, false, CHEAP);
    struct buffer *argument = floats(4, 1), *results[2], *const * lists[] = {&argument};
    struct buffer **const outputs[] = {results};
    struct execute_request request = {.executable = sized,
                                      .device = &remote,
                                      .device_count = 1,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs};
    sized->executable->program->sizes = &size, sized->executable->program->size_count = 1;
    struct error *error = execute(&request);
    cr_assert_not_null(error);
    cr_expect(strstr(error_message(error, NULL), "is in process 0, not in this one"), "%s",
              error_message(error, NULL));
    expect(error, PJRT_Error_Code_INVALID_ARGUMENT);
    sized->executable->program->sizes = NULL, sized->executable->program->size_count = 0;
    buffer_release(argument), loaded_executable_release(sized);
}

Test(execute, dear_programs_run_in_order_behind_the_caller)
{
    struct loaded_executable *slow = load("slow", 1, 4, false, EXPENSIVE),
                             *add = load("add", 1, 4, false, CHEAP);
    struct buffer *a = floats(4, 1), *b, *c, *d;
    cr_assert_null(run(slow, 1, &a, &b));
    struct event *ready = buffer_ready_event(b);
    cr_expect_not(event_is_ready(ready));
    cr_assert_null(run(add, 1, &b, &c));
    cr_assert_null(run(add, 1, &c, &d));
    buffer_release(a), buffer_release(b), buffer_release(c);
    loaded_executable_release(slow), loaded_executable_release(add);
    cr_expect_eq(first(d), 4);
    cr_expect(event_is_good(ready));
    event_release(ready), buffer_release(d);
}

Test(execute, donated_memory_becomes_the_results)
{
    for (int cost = CHEAP; cost <= EXPENSIVE; cost = cost == CHEAP ? EXPENSIVE : EXPENSIVE + 1) {
        struct loaded_executable *loaded = load("add", 2, 4, true, cost);
        struct buffer *arguments[2] = {floats(4, 1), floats(4, 5)}, *results[2], *again[2];
        void *before, *after;
        cr_assert_null(buffer_address(arguments[0], &before));
        cr_assert_null(run(loaded, 2, arguments, results));
        cr_expect(buffer_is_deleted(arguments[0]));
        cr_assert_null(buffer_address(results[0], &after));
        cr_expect_eq(before, after);
        cr_assert_null(run(loaded, 2, results, again)); /* the first run may be pending */
        cr_assert_null(buffer_address(again[0], &after));
        cr_expect_eq(before, after);
        cr_expect_eq(first(again[0]), 3);
        cr_expect_eq(first(again[1]), 7);
        for (int i = 0; i < 2; i++)
            buffer_release(arguments[i]), buffer_release(results[i]), buffer_release(again[i]);
        loaded_executable_release(loaded);
    }
}

Test(execute, donated_arguments_go_also_where_no_result_takes_their_memory)
{
    struct loaded_executable *loaded = load("add", 1, 4, true, CHEAP);
    struct program *program = loaded->executable->program;
    struct buffer *argument = floats(4, 1), *result;
    program->parameters[0].alias = program->results[0].alias = -1;
    cr_assert_null(run(loaded, 1, &argument, &result));
    cr_expect(buffer_is_deleted(argument));
    cr_expect_eq(first(result), 2);
    expect(run(loaded, 1, &argument, &result), PJRT_Error_Code_FAILED_PRECONDITION);
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}

Test(execute, donated_memory_with_an_external_reference_is_not_written)
{
    struct loaded_executable *loaded = load("add", 1, 4, true, CHEAP);
    struct buffer *argument = floats(4, 1), *result;
    void *seen;
    cr_assert_null(buffer_external_retain(argument));
    cr_assert_null(buffer_pointer(argument, &seen));
    cr_assert_null(run(loaded, 1, &argument, &result));
    cr_expect(buffer_is_deleted(argument));
    cr_expect_eq(*(float *)seen, 1);
    cr_expect_eq(first(result), 2);
    cr_assert_null(buffer_external_release(argument));
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}

Test(execute, a_buffer_given_twice_cannot_be_donated)
{
    struct loaded_executable *loaded = load("add", 2, 4, true, CHEAP);
    struct buffer *one = floats(4, 1), *arguments[2] = {one, one}, *results[2];
    struct error *error = run(loaded, 2, arguments, results);
    cr_assert_not_null(error);
    cr_expect_not_null(strstr(error_message(error, NULL), "argument 1"));
    cr_expect_not_null(strstr(error_message(error, NULL), "argument 0"));
    expect(error, PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not(buffer_is_deleted(one));
    cr_expect_eq(first(one), 1);
    const int64_t keep[] = {0, 1, 2, -1, 1, INT64_MAX}; /* more than there are arguments */
    struct buffer *const *lists[] = {arguments};
    struct buffer **const outputs[] = {results};
    struct execute_request request = {.executable = loaded,
                                      .device_count = 1,
                                      .argument_count = 2,
                                      .arguments = lists,
                                      .results = outputs,
                                      .non_donatable_count = sizeof keep / sizeof *keep,
                                      .non_donatable = keep};
    cr_assert_null(execute(&request));
    cr_expect_not(buffer_is_deleted(one));
    buffer_release(one), buffer_release(results[0]), buffer_release(results[1]);
    loaded_executable_release(loaded);
}

Test(execute, failures_are_in_the_results_and_travel)
{
    for (int cost = CHEAP; cost <= EXPENSIVE; cost = cost == CHEAP ? EXPENSIVE : EXPENSIVE + 1) {
        struct loaded_executable *fail = load("fail", 1, 4, false, cost),
                                 *add = load("add", 1, 4, false, cost);
        struct buffer *argument = floats(4, 1), *result, *next;
        cr_assert_null(run(fail, 1, &argument, &result));
        cr_assert_null(run(add, 1, &result, &next));
        struct event *ready = buffer_ready_event(next);
        expect(event_await(ready), PJRT_Error_Code_INTERNAL);
        event_release(ready);
        buffer_release(argument), buffer_release(result), buffer_release(next);
        loaded_executable_release(fail), loaded_executable_release(add);
    }
}

Test(execute, wrong_calls_take_nothing)
{
    struct loaded_executable *loaded = load("add", 2, 4, true, CHEAP);
    struct buffer *arguments[2] = {floats(4, 1), floats(3, 1)}, *results[2];
    expect(run(loaded, 1, arguments, results), PJRT_Error_Code_INVALID_ARGUMENT);
    expect(run(loaded, 2, arguments, results), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not(buffer_is_deleted(arguments[0]));
    buffer_release(arguments[1]);
    arguments[1] = floats(4, 2);
    buffer_delete(arguments[1]);
    expect(run(loaded, 2, arguments, results), PJRT_Error_Code_FAILED_PRECONDITION);
    cr_expect_not(buffer_is_deleted(arguments[0]));
    loaded->deleted = true;
    expect(run(loaded, 2, arguments, results), PJRT_Error_Code_FAILED_PRECONDITION);
    buffer_release(arguments[0]), buffer_release(arguments[1]), loaded_executable_release(loaded);
}

Test(execute, many_values_need_no_small_workspace)
{
    struct loaded_executable *loaded = load("add", 100, 4, false, CHEAP),
                             *expensive = load("add", 100, 4, false, EXPENSIVE);
    struct buffer *arguments[100], *results[100], *last[100];
    for (int i = 0; i < 100; i++)
        arguments[i] = floats(4, (float)i);
    cr_assert_null(run(loaded, 100, arguments, results));
    cr_assert_null(run(expensive, 100, results, last));
    for (int i = 0; i < 100; i++) {
        cr_expect_eq(first(last[i]), (float)i + 2);
        buffer_release(arguments[i]), buffer_release(results[i]), buffer_release(last[i]);
    }
    loaded_executable_release(loaded), loaded_executable_release(expensive);
}

Test(execute, all_devices_or_one)
{
    struct program *program;
    struct executable *executable;
    struct loaded_executable *loaded;
    cr_assert_null(fake_program("add", 1, 4, false, CHEAP, &program));
    program->num_replicas = 2;
    cr_assert_null(
        executable_create(program, &client->devices[0]->device->target, NULL, 0, &executable));
    cr_assert_null(loaded_executable_create(client, executable, &loaded));
    executable_release(executable);
    cr_expect_eq(loaded->device_count, 2);
    cr_expect_eq(loaded->logical_ids[1].replica, 1);
    const unsigned char proto[] = {8, 2, 16, 1, 26, 4, 10, 2, 0, 1};
    cr_expect_eq(loaded->assignment_size, sizeof proto);
    cr_expect_eq(memcmp(loaded->assignment, proto, sizeof proto), 0);
    struct buffer *a = floats(4, 1), *b, *results[2];
    cr_assert_null(buffer_copy_to_memory(a, &client->devices[1]->memories[0], &b));
    struct buffer *const *lists[] = {&a, &b};
    struct buffer **const outputs[] = {&results[0], &results[1]};
    struct event *completed[2];
    struct execute_request request = {.executable = loaded,
                                      .device_count = 2,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs,
                                      .completed = completed};
    cr_assert_null(execute(&request));
    for (int i = 0; i < 2; i++) {
        cr_expect_null(event_await(completed[i]));
        cr_expect_eq(first(results[i]), 2);
        cr_expect_eq(buffer_memory(results[i])->device, client->devices[i]);
        event_release(completed[i]), buffer_release(results[i]);
    }
    struct buffer *const *swapped[] = {&b, &a};
    request.arguments = swapped;
    expect(execute(&request), PJRT_Error_Code_INVALID_ARGUMENT);
    request.device_count = 1, request.device = client->devices[1], request.completed = NULL;
    cr_assert_null(execute(&request));
    cr_expect_eq(first(results[0]), 2);
    buffer_release(results[0]), buffer_release(a), buffer_release(b),
        loaded_executable_release(loaded);
}

struct observed { /* by the callbacks of one device */
    float value;
    bool fails;
};

static struct error *on_send(const struct host_channel *channel, struct host_chunk *chunk)
{
    struct observed *observed = channel->user;
    memcpy(&observed->value, chunk->data, sizeof observed->value);
    chunk->deleter(chunk->data, chunk->deleter_arg);
    return observed->fails ? ERROR(DATA_LOSS, "the callback failed") : NULL;
}

static void on_receive(const struct host_channel *channel, struct host_stream *stream)
{
    const struct observed *observed = channel->user;
    float values[4] = {observed->value * 10};
    struct host_chunk chunk = {values, sizeof values, NULL, NULL};
    cr_expect_null(host_stream_add(stream, &chunk));
    host_stream_drop(stream);
}

static struct host_transfer *host_of(struct observed *observed)
{
    struct host_channel channels[] = {{.id = 1, .send_callback = on_send, .user = observed},
                                      {.id = 2, .receive_callback = on_receive, .user = observed}};
    struct host_transfer *host;
    cr_assert_null(host_transfer_create(2, channels, &host));
    return host;
}

/* A program with channels needs host callbacks; an error of a callback is the error of the
 * result. */
Test(execute, programs_call_host_callbacks)
{
    struct loaded_executable *loaded = load("transfer", 1, 4, false, CHEAP);
    struct observed observed[2] = {{0, false}, {0, true}};
    struct host_transfer *hosts[] = {host_of(&observed[0]), host_of(&observed[1])};
    struct buffer *argument = floats(4, 3), *result;
    struct buffer *const *lists[] = {&argument};
    struct buffer **const outputs[] = {&result};
    struct execute_request request = {.executable = loaded,
                                      .device_count = 1,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs};
    expect(execute(&request), PJRT_Error_Code_INVALID_ARGUMENT);
    for (int i = 0; i < 2; i++) {
        request.hosts = &hosts[i];
        cr_assert_null(execute(&request));
        host_transfer_release(hosts[i]);
        struct event *ready = buffer_ready_event(result);
        struct error *error = event_await(ready);
        event_release(ready);
        cr_expect_eq(observed[i].value, 3);
        if (i)
            expect(error, PJRT_Error_Code_DATA_LOSS);
        else
            cr_expect(!error && first(result) == 30);
        buffer_release(result);
    }
    buffer_release(argument), loaded_executable_release(loaded);
}

/* Whichever allocation fails while an execution is prepared, its donated arguments stay usable. */
Test(execute, no_memory_anywhere)
{
    for (int cost = CHEAP; cost <= EXPENSIVE; cost = cost == CHEAP ? EXPENSIVE : EXPENSIVE + 1) {
        struct loaded_executable *loaded = load("add", 3, 4, true, cost);
        for (int64_t n = 1, done = 0; !done; n++) {
            struct buffer *arguments[3] = {floats(4, 1), floats(4, 2), floats(4, 3)};
            struct buffer *results[3] = {0};
            alloc_fail_at(n);
            struct error *error = run(loaded, 3, arguments, results);
            alloc_fail_at(0);
            done = !error;
            if (error)
                expect(error, PJRT_Error_Code_RESOURCE_EXHAUSTED);
            for (int i = 0; i < 3; i++) {
                cr_expect_eq(buffer_is_deleted(arguments[i]), done, "allocation %lld",
                             (long long)n);
                cr_expect_eq(first(done ? results[i] : arguments[i]), i + 1 + (float)done);
                cr_expect(done || !results[i]);
                buffer_release(arguments[i]), buffer_release(done ? results[i] : NULL);
            }
        }
        loaded_executable_release(loaded);
    }
}

/* Memory that a result would have reused returns to its argument with the token. */
Test(execute, roll_back_returns_the_token)
{
    struct client *whole = client;
    struct device_options options = {.device_count = 1, .memory_limit = {4 * 64}};
    cr_assert_null(client_create(&fake_library, &options, &client));
    memory = &client->devices[0]->memories[0];
    struct loaded_executable *loaded = load("add", 3, 16, true, CHEAP);
    struct program *program = loaded->executable->program;
    struct buffer *arguments[3] = {floats(16, 1), floats(16, 2), floats(16, 3)}, *results[3];
    struct buffer *other = floats(16, 9);
    void *before, *after;
    program->parameters[2].alias = program->results[2].alias = -1; /* the third needs more memory */
    cr_assert_null(buffer_address(arguments[0], &before));
    expect(run(loaded, 3, arguments, results), PJRT_Error_Code_RESOURCE_EXHAUSTED);
    for (int i = 0; i < 3; i++)
        cr_expect_eq(first(arguments[i]), i + 1);
    buffer_release(other);
    cr_assert_null(run(loaded, 3, arguments, results));
    cr_assert_null(buffer_address(results[0], &after));
    cr_expect_eq(before, after);
    for (int i = 0; i < 3; i++) {
        cr_expect_eq(first(results[i]), i + 2);
        buffer_release(arguments[i]), buffer_release(results[i]);
    }
    loaded_executable_release(loaded), client_close(client);
    client = whole;
}

/* Adds to the program a loop whose body writes result 0, and a step that writes result 1. */
static void add_steps(struct program *program)
{
    static struct slice slices[] = {{0, 0, 64}, {1, 0, 64}};
    static struct allocation allocations[] = {
        {.kind = ALLOCATION_RESULT, .index = 0, .size = 64},
        {.kind = ALLOCATION_RESULT, .index = 1, .size = 64},
    };
    static struct step body = {.kind = STEP_COPY,
                               .label = (char *)"copy: jit(f)/scan (model.py:7:1)",
                               .slice_count = 1,
                               .slices = &slices[0]};
    static struct step steps[] = {
        {.kind = STEP_WHILE, .label = (char *)"while", .loop = {.body = {1, &body}}},
        {.kind = STEP_COPY,
         .label = (char *)"tanh: jit(f)/tanh (model.py:9:1)",
         .slice_count = 1,
         .slices = &slices[1]}};
    program->allocations = allocations;
    program->steps = (struct step_list){2, steps};
}

static void expect_label(const struct buffer *buffer, const char *text)
{
    struct storage_hold hold;
    struct event *ready;
    struct text printed = {0};
    cr_assert_null(buffer_acquire((struct buffer *)(uintptr_t)buffer, &hold, &ready));
    struct label label = storage_get_label(&hold);
    label_print(&label, &printed);
    cr_expect_str_eq(printed.data, text);
    text_free(&printed);
    label_release(&label);
    storage_drop(&hold), event_release(ready);
}

/* Buffers are labeled with the origin of their contents, in new and in donated memory; labels
 * outlive the program. */
Test(execute, results_have_the_label_of_their_step)
{
    struct program *program;
    struct executable *executable;
    struct loaded_executable *loaded;
    struct buffer *arguments[2] = {floats(16, 1), floats(16, 2)}, *results[2], *copy;
    cr_assert_null(fake_program("add", 2, 16, true, CHEAP, &program));
    program->results[1].alias = program->parameters[1].alias = -1;
    add_steps(program);
    cr_assert_null(
        executable_create(program, &client->devices[0]->device->target, NULL, 0, &executable));
    program->allocations = NULL, program->steps = (struct step_list){0};
    cr_assert_null(loaded_executable_create(client, executable, &loaded));
    executable_release(executable);
    expect_label(arguments[0], "f32 array from the host");
    cr_assert_null(run(loaded, 2, arguments, results));
    loaded_executable_release(loaded);
    expect_label(results[0], "result 0 of 'add': copy: jit(f)/scan (model.py:7:1)");
    expect_label(results[1], "result 1 of 'add': tanh: jit(f)/tanh (model.py:9:1)");
    cr_assert_null(buffer_copy_to_memory(results[0], memory + 1, &copy));
    expect_label(copy, "result 0 of 'add': copy: jit(f)/scan (model.py:7:1)");
    buffer_release(copy);
    for (int i = 0; i < 2; i++)
        buffer_release(arguments[i]), buffer_release(results[i]);
}

/* Neither a keep hold nor a released read hold prevents reuse in place. */
Test(execute, passive_holders_do_not_turn_reuse_off)
{
    struct loaded_executable *loaded = load("add", 1, 4, true, CHEAP);
    struct buffer *argument = floats(4, 1), *result;
    struct storage_hold reader;
    struct event *ready;
    void *before, *after;
    cr_assert_null(buffer_address(argument, &before));
    cr_assert_null(buffer_acquire(argument, &reader, &ready));
    struct storage_hold keeper = storage_keep(reader.storage);
    storage_drop(&reader), event_release(ready);
    cr_assert_null(run(loaded, 1, &argument, &result));
    cr_assert_null(buffer_address(result, &after));
    cr_expect_eq(before, after);
    storage_drop(&keeper);
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}

/* Counts and lists as a client may pass them. */
Test(execute, hostile_requests)
{
    struct loaded_executable *loaded = load("add", 1, 4, false, CHEAP);
    struct buffer *argument = floats(4, 1), *result;
    struct buffer *const *lists[] = {&argument}, *const * no_list[] = {NULL};
    struct buffer **const outputs[] = {&result}, **const no_output[] = {NULL};
    struct execute_request good = {.executable = loaded,
                                   .device_count = 1,
                                   .argument_count = 1,
                                   .arguments = lists,
                                   .results = outputs},
                           wrong[6] = {good, good, good, good, good, good};
    wrong[0].device_count = (UINT64_C(1) << 32) + 1;
    wrong[1].argument_count = (UINT64_C(1) << 32) + 1;
    wrong[2].arguments = NULL;
    wrong[3].arguments = no_list;
    wrong[4].results = no_output;
    wrong[5].non_donatable_count = 1;
    for (int i = 0; i < 6; i++)
        expect(execute(&wrong[i]), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_assert_null(execute(&good));
    cr_expect_eq(first(result), 2);
    buffer_release(argument), buffer_release(result), loaded_executable_release(loaded);
}
