/* gang_test.c: executions on several fake devices that meet, and what happens when one is late,
 * fails, belongs to another program, or goes away with its executable, client or process. */
#include "runtime/gang.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/fake_gang.h"

enum { DEVICES = 4 };

static struct client *client;
static struct loaded_executable *sum;

static void begin(void)
{
    struct device_options options = {.device_count = DEVICES};
    cr_assert_null(client_create(&fake_library, &options, &client));
    cr_assert_null(fake_gang_load(client, "sum", DEVICES, 1, &sum));
}

static void end(void)
{
    loaded_executable_release(sum);
    client_close(client);
}

TestSuite(gang, .init = begin, .fini = end, .timeout = 300);

/* Device d contributes d + i. */
enum { BASE = DEVICES * (DEVICES - 1) / 2 };

static void expect_sum(struct buffer *result)
{
    struct error *error = fake_gang_check(result, DEVICES, BASE);
    cr_expect_null(error, "%s", error ? error_message(error, NULL) : "");
    error_free(error);
}

static void expect_error(struct buffer *result, PJRT_Error_Code code, const char *part)
{
    struct error *error = fake_gang_check(result, DEVICES, BASE);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), code, "%s", error_message(error, NULL));
    cr_expect(strstr(error_message(error, NULL), part), "%s", error_message(error, NULL));
    error_free(error);
}

/* Executes on devices [first, end); the results are owned. */
static void start(struct loaded_executable *loaded, int first, int end_device,
                  struct buffer **results)
{
    for (int i = first; i < end_device; i++) {
        struct error *error = fake_gang_execute(loaded, i, (float)i, &results[i]);
        cr_assert_null(error, "%s", error ? error_message(error, NULL) : "");
    }
}

static void check_works(void)
{
    struct buffer *results[DEVICES];
    start(sum, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
}

Test(gang, one_call_after_the_other)
{
    for (int i = 0; i < 20; i++)
        check_works();
}

/* In one call for all devices. */
static void execute_on_all(struct buffer **results)
{
    struct buffer *arguments[DEVICES], *const *lists[DEVICES], **outputs[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        cr_assert_null(fake_gang_argument(client, i, (float)i, &arguments[i]));
        lists[i] = &arguments[i], outputs[i] = &results[i];
    }
    cr_assert_null(execute(&(struct execute_request){.executable = sum,
                                                     .device_count = DEVICES,
                                                     .argument_count = 1,
                                                     .arguments = lists,
                                                     .results = outputs}));
    for (int i = 0; i < DEVICES; i++)
        buffer_release(arguments[i]);
}

/* Adds one to a buffer, which is donated (moved); the result is owned. */
static struct buffer *add_in_place(int device, struct buffer *buffer)
{
    struct loaded_executable *add;
    struct buffer *result, *const *lists[] = {&buffer}, **const outputs[] = {&result};
    cr_assert_null(fake_load(client, "add", 1, FAKE_GANG_ELEMENTS, true, 1, &add));
    struct execute_request request = {.executable = add,
                                      .device = client->devices[device],
                                      .device_count = 1,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs};
    cr_assert_null(execute(&request));
    buffer_release(buffer);
    loaded_executable_release(add);
    return result;
}

/* What is equal on all devices is in memory once. No program writes there while others read. */
Test(gang, devices_share_the_memory_of_equal_results)
{
    struct buffer *results[DEVICES], *result;
    void *addresses[DEVICES], *address;
    execute_on_all(results);
    for (int i = 0; i < DEVICES; i++) {
        cr_assert_null(buffer_pointer(results[i], &addresses[i]));
        cr_expect_eq(addresses[i], addresses[0]);
        cr_expect_eq(buffer_memory(results[i])->device, client->devices[i]);
    }
    result = add_in_place(0, results[0]);
    cr_assert_null(buffer_pointer(result, &address));
    cr_expect_neq(address, addresses[0]);
    cr_expect_null(fake_gang_check(result, DEVICES, BASE + 1));
    for (int i = 1; i < DEVICES; i++)
        expect_sum(results[i]);
}

Test(gang, shared_results_outlive_the_first)
{
    struct buffer *results[DEVICES];
    execute_on_all(results);
    for (int i = 0; i < DEVICES - 1; i++)
        buffer_release(results[i]);
    check_works();
    expect_sum(results[DEVICES - 1]);
}

/* The k-th execution on a device meets the k-th on the others, in whatever order they come. */
Test(gang, executions_meet_in_their_order)
{
    enum { TIMES = 5 };
    struct buffer *results[DEVICES][TIMES];
    for (int d = DEVICES - 1; d >= 0; d--)
        for (int k = 0; k < TIMES; k++)
            cr_assert_null(fake_gang_execute(sum, d, (float)(d + 100 * k), &results[d][k]));
    for (int d = 0; d < DEVICES; d++)
        for (int k = 0; k < TIMES; k++)
            cr_expect_null(
                fake_gang_check(results[d][k], DEVICES, (float)(BASE + 100 * k * DEVICES)));
}

Test(gang, late_participants_are_named)
{
    struct buffer *results[DEVICES];
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    start(sum, 0, DEVICES - 2, results);
    expect_error(results[0], PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 2, 3");
    expect_error(results[1], PJRT_Error_Code_DEADLINE_EXCEEDED, "'sum' has collectives");
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    check_works();
}

Test(gang, a_slow_participant_is_waited_for)
{
    struct loaded_executable *slow;
    struct buffer *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_slow", DEVICES, 2, &slow));
    start(slow, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
    loaded_executable_release(slow);
}

Test(gang, a_failure_reaches_all_and_names_the_participant)
{
    struct loaded_executable *fails;
    struct buffer *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_fails", DEVICES, 3, &fails));
    start(fails, 0, DEVICES, results);
    expect_error(results[1], PJRT_Error_Code_INTERNAL, "fails on demand");
    for (int i = 0; i < DEVICES; i++)
        if (i != 1)
            expect_error(results[i], PJRT_Error_Code_INTERNAL,
                         "participant 1 of 4 of 'sum_fails' failed");
    check_works();
    loaded_executable_release(fails);
}

/* The others' wait ends at the limit, and so does the loop. */
Test(gang, a_device_that_loops_for_ever_is_named_and_stopped)
{
    struct loaded_executable *loops;
    struct buffer *results[DEVICES];
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    cr_assert_null(fake_gang_load(client, "sum_loops", DEVICES, 8, &loops));
    start(loops, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_error(results[i], PJRT_Error_Code_DEADLINE_EXCEEDED,
                     "missing participants: 1 of its group of 4; participant 1 is at while: g "
                     "(model.py:2)");
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    check_works();
    loaded_executable_release(loops);
}

/* ---- callbacks that execute programs --------------------------------------------------------- */
static struct error *sum_on(int first, int end_device)
{
    struct buffer *results[DEVICES];
    struct error *error = NULL;
    for (int i = first; i < end_device && !error; i++)
        error = fake_gang_execute(sum, i, (float)i, &results[i]);
    for (int i = first; i < end_device && !error; i++)
        error = fake_gang_check(results[i], DEVICES, BASE);
    return error;
}

static struct error *sum_on_all(const struct launch *launch)
{
    (void)launch;
    return sum_on(0, DEVICES);
}

static struct error *sum_on_this(const struct launch *launch)
{
    return sum_on(launch->participant, launch->participant + 1);
}

static void check_calls(struct error *(*function)(const struct launch *), int number)
{
    struct loaded_executable *calls;
    struct buffer *results[DEVICES];
    fake_client_function = function;
    cr_assert_null(fake_gang_load(client, "sum_calls", DEVICES, number, &calls));
    start(calls, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
    loaded_executable_release(calls);
}

/* All devices run jobs that wait for these executions. */
Test(gang, the_callbacks_of_all_devices_execute_on_all)
{
    for (int i = 0; i < 20; i++)
        check_calls(sum_on_all, 9);
}

Test(gang, the_callbacks_of_all_devices_execute_on_one_each)
{
    for (int i = 0; i < 20; i++)
        check_calls(sum_on_this, 10);
}

static struct loaded_executable *inner; /* of the callbacks of callbacks */

static struct error *nest(const struct launch *launch)
{
    struct buffer *result;
    if (launch->run_id == 1)
        return sum_on_all(launch);
    TRY(fake_gang_execute_as(inner, launch->participant, 1, (float)launch->participant, &result));
    return fake_gang_check(result, DEVICES, BASE);
}

Test(gang, callbacks_nest)
{
    cr_assert_null(fake_gang_load(client, "sum_calls", DEVICES, 11, &inner));
    check_calls(nest, 12);
    loaded_executable_release(inner);
}

static struct error *stop_at_once(const struct launch *launch)
{
    return launch->participant == 2 ? ERROR(ABORTED, "no more") : sum_on_all(launch);
}

Test(gang, a_callback_that_fails_ends_the_outer_gang)
{
    struct loaded_executable *calls;
    struct buffer *results[DEVICES];
    fake_client_function = stop_at_once;
    cr_assert_null(fake_gang_load(client, "sum_calls", DEVICES, 13, &calls));
    start(calls, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_error(results[i], PJRT_Error_Code_ABORTED, "no more");
    check_works();
    loaded_executable_release(calls);
}

Test(gang, different_programs_meet_in_equal_collectives)
{
    struct loaded_executable *slow;
    struct buffer *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_slow", DEVICES, 1, &slow));
    start(sum, 0, 2, results);
    start(slow, 2, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
    loaded_executable_release(slow);
}

/* Other collectives do not meet: each program lacks the devices of the other. */
Test(gang, different_collectives_do_not_meet)
{
    struct loaded_executable *other;
    struct buffer *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_other", DEVICES, 4, &other));
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    start(sum, 0, 2, results);
    start(other, 2, DEVICES, results);
    expect_error(results[0], PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 2, 3");
    expect_error(results[3], PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 0, 1");
    expect_error(results[1], PJRT_Error_Code_DEADLINE_EXCEEDED, "'sum' has");
    expect_error(results[2], PJRT_Error_Code_DEADLINE_EXCEEDED, "'sum_other' has");
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    check_works();
    loaded_executable_release(other);
}

Test(gang, a_deleted_executable_ends_its_gang)
{
    struct loaded_executable *other;
    struct buffer *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_other", DEVICES, 5, &other));
    start(other, 0, DEVICES - 1, results);
    execute_delete(other);
    for (int i = 0; i < DEVICES - 1; i++)
        expect_error(results[i], PJRT_Error_Code_CANCELLED, "its executable was deleted");
    check_works();
    loaded_executable_release(other);
}

/* Those that have started when their executable is deleted finish, or all end with its error. */
Test(gang, an_executable_that_is_deleted_while_it_runs)
{
    struct loaded_executable *slow;
    struct buffer *results[DEVICES];
    int failures = 0;
    cr_assert_null(fake_gang_load(client, "sum_slow", DEVICES, 6, &slow));
    start(slow, 0, DEVICES, results);
    execute_delete(slow);
    for (int i = 0; i < DEVICES; i++) {
        struct error *error = fake_gang_check(results[i], DEVICES, BASE);
        failures += error != NULL;
        error_free(error);
    }
    cr_expect(failures == 0 || failures == DEVICES, "%d failed", failures);
    check_works();
    loaded_executable_release(slow);
}

/* Executes on one device with an argument that exists (borrowed). */
static struct error *execute_with(int device, struct buffer *argument, struct buffer **out)
{
    struct buffer *const *lists[] = {&argument}, **const outputs[] = {out};
    *out = NULL;
    return execute(&(struct execute_request){.executable = sum,
                                             .device = client->devices[device],
                                             .device_count = 1,
                                             .argument_count = 1,
                                             .arguments = lists,
                                             .results = outputs});
}

/* The argument of one device is the result of an execution that fails while the others wait. */
Test(gang, an_argument_that_fails_ends_all)
{
    struct loaded_executable *fails;
    struct buffer *failed[DEVICES], *results[DEVICES];
    cr_assert_null(fake_gang_load(client, "sum_fails", DEVICES, 7, &fails));
    start(sum, 0, DEVICES - 1, results);
    start(fails, 0, DEVICES, failed);
    cr_assert_null(execute_with(DEVICES - 1, failed[DEVICES - 1], &results[DEVICES - 1]));
    for (int i = 0; i < DEVICES; i++)
        expect_error(results[i], PJRT_Error_Code_INTERNAL, "participant 1 of 4 of 'sum_fails'");
    for (int i = 0; i < DEVICES; i++)
        buffer_release(failed[i]);
    check_works();
    loaded_executable_release(fails);
}

/* A call that is refused does not take part: the others end when they have waited for it. */
Test(gang, a_refused_argument_ends_all)
{
    struct buffer *results[DEVICES], *elsewhere, *none;
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    cr_assert_null(fake_gang_argument(client, 0, 1, &elsewhere));
    start(sum, 0, DEVICES - 1, results);
    struct error *error = execute_with(DEVICES - 1, elsewhere, &none);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
    for (int i = 0; i < DEVICES - 1; i++)
        expect_error(results[i], PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 3");
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    buffer_release(elsewhere);
    check_works();
}

struct caller {
    int device;
    struct buffer *result;
};

static void *call_and_end(void *context)
{
    struct caller *caller = context;
    cr_assert_null(fake_gang_execute(sum, caller->device, (float)caller->device, &caller->result));
    return NULL;
}

/* A thread may end once its call has returned, before the others have come. */
Test(gang, a_thread_that_ends_leaves_its_execution)
{
    struct caller callers[DEVICES];
    for (int i = 0; i < DEVICES; i++) {
        pthread_t thread;
        callers[i].device = i;
        cr_assert_eq(pthread_create(&thread, NULL, call_and_end, &callers[i]), 0);
        pthread_join(thread, NULL);
    }
    for (int i = 0; i < DEVICES; i++)
        expect_sum(callers[i].result);
}

static void *wait_for_ever(void *context)
{
    pthread_barrier_wait(context);
    while (true)
        pause();
    return NULL;
}

/* A thread that is killed before its call: the others get an error that names its device. */
Test(gang, a_killed_thread_is_missed)
{
    pthread_t thread;
    pthread_barrier_t runs;
    struct buffer *results[DEVICES];
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    pthread_barrier_init(&runs, NULL, 2);
    cr_assert_eq(pthread_create(&thread, NULL, wait_for_ever, &runs), 0);
    pthread_barrier_wait(&runs);
    start(sum, 0, DEVICES - 1, results);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    for (int i = 0; i < DEVICES - 1; i++)
        expect_error(results[i], PJRT_Error_Code_DEADLINE_EXCEEDED, "missing participants: 3");
    unsetenv("GANTRY_COLLECTIVE_TIMEOUT");
    pthread_barrier_destroy(&runs);
    check_works();
}

Test(gang, a_place_that_is_given_up_is_free_again)
{
    struct gang *first, *again;
    struct buffer *results[DEVICES];
    cr_assert_null(gang_reserve(sum, 0, 0, true, &first));
    gang_leave(first, 0);
    cr_assert_null(gang_reserve(sum, 0, 1, true, &again));
    gang_leave(again, 1);
    gang_release(first);
    gang_release(again);
    start(sum, 0, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
}

/* Launch ids keep gangs of one program apart. */
Test(gang, launches_with_different_ids_do_not_meet)
{
    struct gang *one, *two;
    cr_assert_null(gang_reserve(sum, 7, 0, true, &one));
    cr_assert_null(gang_reserve(sum, 8, 1, true, &two));
    cr_expect_neq(one, two);
    struct gang *same;
    cr_assert_null(gang_reserve(sum, 7, 1, true, &same));
    cr_expect_eq(one, same);
    gang_leave(one, 0), gang_leave(same, 1), gang_leave(two, 1);
    gang_release(one), gang_release(same), gang_release(two);
}

Test(gang_client, a_destroyed_client_ends_its_gangs)
{
    struct device_options options = {.device_count = DEVICES};
    struct buffer *results[DEVICES];
    cr_assert_null(client_create(&fake_library, &options, &client));
    cr_assert_null(fake_gang_load(client, "sum", DEVICES, 1, &sum));
    start(sum, 0, DEVICES - 1, results);
    loaded_executable_release(sum);
    client_close(client);
    for (int i = 0; i < DEVICES - 1; i++)
        expect_error(results[i], PJRT_Error_Code_CANCELLED, "the client was destroyed");
}

/* ---- forks ----------------------------------------------------------------------------------- */
static void *execute_often(void *done)
{
    while (!atomic_load((atomic_int *)done))
        check_works();
    return NULL;
}

/* 0: a child of this process executes on all devices. */
static int use_in_child(void)
{
    int status;
    pid_t child = fork();
    if (!child) {
        struct buffer *results[DEVICES];
        bool failed = false;
        for (int i = 0; i < DEVICES && !failed; i++)
            failed = fake_gang_execute(sum, i, (float)i, &results[i]);
        for (int i = 0; i < DEVICES && !failed; i++)
            failed = fake_gang_check(results[i], DEVICES, BASE);
        _exit(failed);
    }
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* The open gang stays the parent's; the child starts anew. */
Test(gang, a_child_of_a_process_with_an_open_gang)
{
    struct buffer *results[DEVICES];
    start(sum, 0, DEVICES - 1, results);
    cr_expect_eq(use_in_child(), 0);
    start(sum, DEVICES - 1, DEVICES, results);
    for (int i = 0; i < DEVICES; i++)
        expect_sum(results[i]);
}

Test(gang, a_child_of_a_process_in_which_gangs_run)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the address sanitizer's own locks are not safe across forks");
#endif
    pthread_t thread;
    atomic_int done = 0;
    cr_assert_eq(pthread_create(&thread, NULL, execute_often, &done), 0);
    for (int i = 0; i < 10; i++)
        cr_expect_eq(use_in_child(), 0, "child %d", i);
    atomic_store(&done, 1);
    pthread_join(thread, NULL);
}
