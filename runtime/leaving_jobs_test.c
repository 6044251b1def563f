/* leaving_jobs_test.c: functions of the client that run while jobs leave their queues. */
#include "runtime/leaving_jobs.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/futex.h"
#include "runtime/fake_gang.h" /* before the client of the fixture */

#include "runtime/execute_fixture.h"

static void begin(void)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    setup();
}

TestSuite(leaving_jobs, .init = begin, .fini = teardown, .timeout = 60);

Test(leaving_jobs, are_counted_one_within_another)
{
    struct leaving_jobs jobs = {.unfinished = 5}, others = {.unfinished = 1};
    struct leaving_job outer, parked, other;
    leaving_jobs_begin(&jobs, true, &outer);
    leaving_jobs_begin(&others, true, &other);
    leaving_jobs_begin(&jobs, false, &parked);
    cr_expect_eq(jobs.unfinished, 5);
    cr_expect_eq(jobs.reporting, 1);
    jobs.reporting++; /* of another thread */
    leaving_jobs_keep_own(&jobs, 1);
    cr_expect_eq(jobs.unfinished, 3);
    cr_expect_eq(jobs.reporting, 1);
    leaving_jobs_end(&parked), leaving_jobs_end(&other), leaving_jobs_end(&outer);
    cr_expect_eq(jobs.unfinished, 1);
    cr_expect_eq(jobs.reporting, 0);
    cr_expect_eq(others.unfinished, 0);
}

/* ---- a callback that does not return --------------------------------------------------------- */
static struct loaded_executable *sum, *around;
static atomic_uint calls, may_return;

static void wait_for_leave(struct error *error, void *unused)
{
    (void)unused;
    error_free(error);
    atomic_store(&calls, 1);
    futex_wake(&calls, FUTEX_ALL);
    while (!atomic_load(&may_return))
        futex_wait(&may_return, 0);
}

/* On device 0: sums on both devices. The end of the sum on device 1, which runs beside its queue,
 * calls the callback. */
static struct error *sum_and_block(const struct launch *launch)
{
    struct buffer *results[2];
    if (launch->participant)
        return NULL;
    TRY(fake_gang_execute(sum, 1, 1, &results[1]));
    struct event *ready = buffer_ready_event(results[1]);
    TRY(event_on_ready(ready, wait_for_leave, NULL));
    TRY(fake_gang_execute(sum, 0, 0, &results[0]));
    event_release(ready);
    buffer_release(results[0]), buffer_release(results[1]);
    while (!atomic_load(&calls))
        futex_wait(&calls, 0);
    return NULL;
}

Test(leaving_jobs, are_known_while_others_of_their_queue_end)
{
    struct buffer *results[2];
    fake_client_function = sum_and_block;
    cr_assert_null(fake_gang_load(client, "sum", 2, 1, &sum));
    cr_assert_null(fake_gang_load(client, "sum_calls", 2, 2, &around));
    for (int i = 0; i < 2; i++)
        cr_assert_null(fake_gang_execute(around, i, (float)i, &results[i]));
    for (int i = 0; i < 2; i++)
        cr_expect_null(fake_gang_check(results[i], 2, 1));
    client_close(client); /* gives up */
    atomic_store(&may_return, 1);
    futex_wake(&may_return, FUTEX_ALL);
    loaded_executable_release(around), loaded_executable_release(sum);
    cr_assert_null(client_create(&fake_library, NULL, &client)); /* for the end of the test */
}

/* ---- forks from a callback ------------------------------------------------------------------- */
static pid_t child;

/* In the child: the thread that forked goes on with its queue. */
static void *use_and_close(void *unused)
{
    struct loaded_executable *add = load("add", 1, 8, false, EXPENSIVE);
    struct buffer *argument = floats(8, 1), *result;
    bool failed = run(add, 1, &argument, &result) != NULL || first(result) != 2;
    (void)unused;
    buffer_release(argument), buffer_release(result);
    loaded_executable_release(add);
    client_close(client);
    _exit(failed);
}

static void fork_here(struct error *error, void *unused)
{
    pthread_t thread;
    (void)unused;
    error_free(error);
    child = fork();
    if (child)
        return;
    alarm(20);
    if (pthread_create(&thread, NULL, use_and_close, NULL))
        _exit(1);
}

static void check_child(void)
{
    int status = 1;
    cr_assert_gt(child, 0);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "the child ended with status %#x", (unsigned)status);
}

Test(leaving_jobs, are_counted_in_a_child_forked_by_a_callback)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the address sanitizer's own locks are not safe across forks");
#endif
    struct loaded_executable *slow = load("slow", 1, 8, false, EXPENSIVE);
    struct buffer *argument = floats(8, 1), *result;
    cr_assert_null(run(slow, 1, &argument, &result));
    struct event *ready = buffer_ready_event(result);
    cr_assert_null(event_on_ready(ready, fork_here, NULL));
    cr_expect_eq(first(result), 2);
    event_release(ready);
    buffer_release(argument), buffer_release(result);
    loaded_executable_release(slow);
    while (!*(volatile pid_t *)&child) /* the callback may run after first() */
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    check_child();
}

/* ---- forks from a job beside the queue, on the thread of another job ------------------------- */
static atomic_int depth;

static struct error *execute_around_and_fork(const struct launch *launch)
{
    struct buffer *results[2];
    if (launch->participant)
        return NULL;
    if (atomic_fetch_add(&depth, 1)) {
        fork_here(NULL, NULL);
        return NULL;
    }
    for (int i = 1; i >= 0; i--)
        TRY(fake_gang_execute(around, i, (float)i, &results[i]));
    for (int i = 0; i < 2; i++)
        buffer_release(results[i]);
    return NULL;
}

Test(leaving_jobs, are_counted_in_a_child_forked_by_a_job_within_another)
{
#ifdef __SANITIZE_ADDRESS__
    cr_skip_test("the address sanitizer's own locks are not safe across forks");
#endif
    struct buffer *results[2];
    fake_client_function = execute_around_and_fork;
    cr_assert_null(fake_gang_load(client, "sum_calls", 2, 1, &around));
    for (int i = 0; i < 2; i++)
        cr_assert_null(fake_gang_execute(around, i, (float)i, &results[i]));
    for (int i = 0; i < 2; i++)
        cr_expect_null(fake_gang_check(results[i], 2, 1));
    check_child();
    loaded_executable_release(around);
}
