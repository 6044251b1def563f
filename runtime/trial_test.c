#include "runtime/trial.h"

#include <criterion/criterion.h>

#include "runtime/execute.h"
#include "runtime/fake_device.h"

enum { SHORT = 1, LONG = 1000 }; /* arguments for less and for more than the budget */

static struct client *client;
static struct loaded_executable *loaded;

static void setup(void)
{
    cr_assert_null(client_create(&fake_library, NULL, &client));
    cr_assert_null(fake_load(client, "spend", 1, 4, false, PROGRAM_UNBOUNDED, &loaded));
}

static void teardown(void)
{
    loaded_executable_release(loaded);
    client_close(client);
}

TestSuite(trial, .init = setup, .fini = teardown);

static struct buffer *upload(float value)
{
    float data[4] = {value, value, value, value};
    int64_t dims = 4;
    struct event *done;
    struct buffer *buffer;
    struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &dims};
    cr_assert_null(buffer_from_host(&client->devices[0]->memories[0], &shape,
                                    &(struct host_array){.data = data, .shape = shape}, 0, &done,
                                    &buffer));
    return buffer;
}

/* Executes the program. Whether it ran on this thread; *error is what became of it. */
static bool runs_here(struct loaded_executable *program, float value, struct error **error)
{
    struct buffer *argument = upload(value), *result = NULL;
    struct buffer *const *lists[] = {&argument}, **const outputs[] = {&result};
    struct event *completed;
    struct execute_request request = {.executable = program,
                                      .device_count = 1,
                                      .argument_count = 1,
                                      .arguments = lists,
                                      .results = outputs,
                                      .completed = &completed};
    cr_assert_null(execute(&request));
    bool here = buffer_ready_event(result) == event_ready();
    *error = event_await(completed);
    void *address;
    struct error *unusable = buffer_pointer(result, &address);
    if (!*error)
        cr_expect_eq(*(float *)address, value + 1);
    error_free(unusable);
    event_release(completed);
    buffer_release(argument), buffer_release(result);
    return here;
}

static bool succeeds_here(struct loaded_executable *program, float value)
{
    struct error *error = NULL;
    bool here = runs_here(program, value, &error);
    cr_expect_null(error, "%s", error_message(error, NULL));
    return here;
}

Test(trial, loops_that_end_soon_run_on_the_callers_thread)
{
    for (int i = 0; i < 5; i++)
        cr_expect(succeeds_here(loaded, SHORT));
}

Test(trial, loops_that_exceed_the_budget_begin_again)
{
    for (int i = 0; i < 20; i++)
        cr_expect_not(succeeds_here(loaded, LONG));
}

/* The third trial follows 1 + 3 executions without one. */
Test(trial, failures_space_trials_out)
{
    cr_expect_not(succeeds_here(loaded, LONG));
    cr_expect_not(succeeds_here(loaded, SHORT));
    cr_expect_not(succeeds_here(loaded, LONG));
    for (int i = 0; i < 3; i++)
        cr_expect_not(succeeds_here(loaded, SHORT));
    cr_expect(succeeds_here(loaded, SHORT));
    cr_expect(succeeds_here(loaded, SHORT));
}

Test(trial, an_error_is_no_failed_trial)
{
    struct error *error = NULL;
    runs_here(loaded, -1, &error);
    cr_assert_not_null(error);
    cr_expect_eq(error_code(error), PJRT_Error_Code_INTERNAL);
    error_free(error);
    cr_expect(succeeds_here(loaded, SHORT));
}

Test(trial, what_overwrites_an_argument_is_not_tried)
{
    struct loaded_executable *donates;
    cr_assert_null(fake_load(client, "spend", 1, 4, true, PROGRAM_UNBOUNDED, &donates));
    cr_expect_not(succeeds_here(donates, SHORT));
    cr_expect_not(succeeds_here(donates, LONG));
    loaded_executable_release(donates);
}

Test(trial, the_wait_between_trials_is_bounded)
{
    for (int i = 0; i < 40; i++)
        trial_end(loaded, true);
    int waits = 0;
    while (!trial_is_due(loaded))
        waits++;
    cr_expect_eq(waits, TRIAL_BACKOFF);
    trial_end(loaded, false);
    cr_expect(trial_is_due(loaded));
}
