/* execute_stuck_test.c: executions that wait for the client for ever: functions of it that do not
 * return, buffers that it does not fill. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/futex.h"
#include "runtime/execute_fixture.h"
#include "runtime/transfer.h"

static atomic_uint calls, may_return;

static struct error *wait_for_leave(const struct launch *launch)
{
    (void)launch;
    atomic_fetch_add(&calls, 1);
    futex_wake(&calls, FUTEX_ALL);
    while (!atomic_load(&may_return))
        futex_wait(&may_return, 0);
    return NULL;
}

static void let_return(void)
{
    atomic_store(&may_return, 1);
    futex_wake(&may_return, FUTEX_ALL);
}

static void begin(void)
{
    setenv("GANTRY_COLLECTIVE_TIMEOUT", "1", 1);
    fake_client_function = wait_for_leave;
    setup();
}

static int output; /* what is logged after capture() */

static void capture(void)
{
    int ends[2];
    setenv("GANTRY_LOG", "warning", 1);
    cr_assert_eq(pipe(ends), 0);
    dup2(ends[1], STDERR_FILENO);
    close(ends[1]);
    output = ends[0];
}

static const char *next_line(void)
{
    static char line[1024];
    size_t size = 0;
    while (size < sizeof line - 1 && read(output, &line[size], 1) == 1 && line[size] != '\n')
        size++;
    line[size] = '\0';
    return line;
}

static void expect_line(const char *part)
{
    const char *line = next_line();
    cr_expect(strstr(line, part), "%s", line);
}

TestSuite(stuck, .init = begin, .fini = teardown, .timeout = 300);

/* Starts the program on its queue; *argument and *result are owned. */
static void start_stuck(struct buffer **argument, struct buffer **result)
{
    struct loaded_executable *loaded = load("calls", 1, 8, false, EXPENSIVE);
    *argument = floats(8, 1);
    cr_assert_null(run(loaded, 1, argument, result));
    loaded_executable_release(loaded);
    while (!atomic_load(&calls))
        futex_wait(&calls, 0);
}

Test(stuck, a_function_that_does_not_return_is_named)
{
    struct buffer *argument, *result;
    capture();
    start_stuck(&argument, &result);
    expect_line("warning: still waiting: 'calls' on Fake called the client's function of "
                "callback: f (model.py:1) 1 s ago");
    let_return();
    cr_expect_eq(first(result), 2);
    buffer_release(argument), buffer_release(result);
}

/* What was queued behind it is cancelled, since nothing waits for it. */
Test(stuck, a_client_is_destroyed_while_its_function_runs)
{
    struct loaded_executable *add = load("add", 1, 8, false, EXPENSIVE);
    struct buffer *argument, *result, *later;
    capture();
    start_stuck(&argument, &result);
    cr_assert_null(run(add, 1, &argument, &later));
    client_close(client);
    for (const char *line = next_line(); !strstr(line, "error:"); line = next_line())
        cr_expect(strstr(line, "still waiting: 'calls'"), "%s", line);
    let_return();
    cr_expect_eq(first(result), 2);
    void *address;
    expect(buffer_pointer(later, &address), PJRT_Error_Code_CANCELLED);
    buffer_release(argument), buffer_release(result), buffer_release(later);
    loaded_executable_release(add);
    cr_assert_null(client_create(&fake_library, NULL, &client)); /* for the end of the test */
}

Test(stuck, an_argument_that_is_not_filled_is_named)
{
    struct loaded_executable *add = load("add", 2, 8, false, EXPENSIVE);
    int64_t size = 8;
    struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &size};
    struct buffer *arguments[2] = {floats(8, 1)}, *given = floats(8, 5), *results[2];
    struct promise *promise;
    capture();
    cr_assert_null(transfer_promise_buffer(memory, &shape, &arguments[1], &promise));
    cr_assert_null(run(add, 2, arguments, results));
    expect_line("warning: still waiting: the execution of 'add' on Fake began 1 s ago, and "
                "argument 1 is a buffer that the client created and has yet to fill");
    cr_assert_null(transfer_fulfill_buffer(promise, given, NULL));
    cr_expect_eq(first(results[1]), 6);
    for (int i = 0; i < 2; i++)
        buffer_release(arguments[i]), buffer_release(results[i]);
    buffer_release(given);
    loaded_executable_release(add);
}
