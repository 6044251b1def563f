/* launch_rules.c: area 13, sections 4 to 6: asynchrony, donation, errors. */
#include <string.h>

#include "conformance/cts/rule_process.h"
#include "conformance/rules/sample_programs.h"

/* ---- 13.4 Asynchrony ------------------------------------------------------------------------- */

/* Executes with one argument and gives the event of its end (owned). */
static struct error *start(struct rule_context *t, PJRT_LoadedExecutable *executable,
                           PJRT_Buffer *input, PJRT_Buffer **out, PJRT_Event **done)
{
    struct execution execution = {executable, &input, 1, NULL, NULL, 0, NULL, done};
    *done = NULL;
    *out = NULL;
    return execution_start(t, &execution, out);
}

void rule_execute_gives_events(struct rule_context *t)
{
    PJRT_Buffer *result;
    PJRT_Event *done;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    for (int i = 0; i < 5; i++) {
        NEED_OK(t, start(t, executable, buffer, &result, &done));
        NEED(t, done, "no event");
        NEED_OK(t, rule_await(t, done));
        DESTROY(t, Buffer, buffer, result);
    }
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_needs_no_events(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_completes_with_results(struct rule_context *t)
{
    PJRT_Buffer *result;
    PJRT_Event *done;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    for (int i = 0; i < 20; i++) {
        NEED_OK(t, start(t, executable, buffer, &result, &done));
        NEED_OK(t, rule_await(t, done));
        ARGS(t, Buffer_ReadyEvent, get, .buffer = result);
        NEED_OK(t, CALL(t, Buffer_ReadyEvent, &get));
        ARGS(t, Event_IsReady, ready, .event = get.event);
        NEED_OK(t, CALL(t, Event_IsReady, &ready));
        CHECK(t, ready.is_ready, "the result is not ready");
        DESTROY(t, Event, event, get.event);
        DESTROY(t, Buffer, buffer, result);
    }
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

/* Adds the sample `count` times, each sum being the next one's first argument. */
static void run_chain(struct rule_context *t, const char *program, int count)
{
    PJRT_Buffer *sum, *next;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, program);
    NEED_OK(t, sample_upload(t, &sum));
    for (int i = 0; i < count; i++) {
        NEED_OK(t, execute_two(t, executable, sum, buffer, &next));
        DESTROY(t, Buffer, buffer, sum);
        sum = next;
    }
    sample_check_times(t, sum, (float)(count + 1));
    DESTROY(t, Buffer, buffer, sum);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_runs_chains(struct rule_context *t)
{
    run_chain(t, "sum.mlirbc", 100);
}

void rule_execute_outlives_the_executable(struct rule_context *t)
{
    PJRT_Buffer *results[10];
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "long.mlirbc");
    for (int i = 0; i < 10; i++)
        NEED_OK(t, execute_one(t, executable, buffer, &results[i]));
    DESTROY(t, LoadedExecutable, executable, executable);
    for (int i = 0; i < 10; i++) {
        sample_check(t, results[i]);
        DESTROY(t, Buffer, buffer, results[i]);
    }
    DESTROY(t, Buffer, buffer, buffer);
}

static PJRT_LoadedExecutable *shared_executable;

static void run_in_thread(struct rule_context *t, int i)
{
    float values[SAMPLE];
    PJRT_Buffer *input, *result;
    for (int k = 0; k < 30; k++) {
        for (int n = 0; n < SAMPLE; n++)
            values[n] = (float)(i * 1000 + k + n);
        NEED_OK(t, rule_upload_floats(t, values, SAMPLE, &input));
        NEED_OK(t, execute_one(t, shared_executable, input, &result));
        for (int n = 0; n < SAMPLE; n++)
            values[n] *= 2;
        rule_check_floats(t, result, values, SAMPLE);
        DESTROY(t, Buffer, buffer, input);
        DESTROY(t, Buffer, buffer, result);
    }
}

void rule_execute_runs_in_threads(struct rule_context *t)
{
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    shared_executable = executable;
    rule_threads(t, run_in_thread);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_interleaves_programs(struct rule_context *t)
{
    enum { COUNT = 30 };
    PJRT_Buffer *results[COUNT];
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, slow, "long.mlirbc");
    NEED_PROGRAM(t, twice, "twice.mlirbc");
    NEED_PROGRAM(t, identity, "identity.mlirbc");
    PJRT_LoadedExecutable *const programs[] = {slow, twice, identity};
    for (int i = 0; i < COUNT; i++)
        NEED_OK(t, execute_one(t, programs[i % 3], buffer, &results[i]));
    for (int i = 0; i < COUNT; i++) {
        sample_check_times(t, results[i], i % 3 == 1 ? 2 : 1);
        DESTROY(t, Buffer, buffer, results[i]);
    }
    DESTROY(t, Buffer, buffer, buffer);
    for (int i = 0; i < 3; i++)
        DESTROY(t, LoadedExecutable, executable, programs[i]);
}

/* Executes "twice" as described, and checks its result. */
static void check_twice(struct rule_context *t, struct execution execution)
{
    PJRT_Buffer *result = NULL;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    execution.executable = executable;
    execution.inputs = &buffer;
    execution.input_count = 1;
    NEED_OK(t, execution_start(t, &execution, &result));
    CHECK(t, buffer_device(t, result) == t->device, "the result is on another device");
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_takes_launch_ids(struct rule_context *t)
{
    for (int id = 1; id < 4; id++)
        check_twice(t, (struct execution){.launch_id = id * 7});
}

void rule_execute_takes_a_device(struct rule_context *t)
{
    NEED_CLIENT(t);
    check_twice(t, (struct execution){.device = t->device});
}

void rule_execute_takes_contexts(struct rule_context *t)
{
    NEED_CLIENT(t);
    ARGS(t, ExecuteContext_Create, args, );
    NEED_OK(t, CALL(t, ExecuteContext_Create, &args));
    NEED(t, args.context, "no context");
    for (int i = 0; i < 3; i++)
        check_twice(t, (struct execution){.context = args.context});
    DESTROY(t, ExecuteContext, context, args.context);
}

/* ---- 13.5 Donation --------------------------------------------------------------------------- */

/* Declares "sum_donated", which donates its first argument, and the arguments. */
#define NEED_DONATION(t, executable, donated, other)                                               \
    NEED_SAMPLE(t, donated);                                                                       \
    NEED_SAMPLE(t, other);                                                                         \
    NEED_PROGRAM(t, executable, "sum_donated.mlirbc")

static void end_donation(struct rule_context *t, PJRT_LoadedExecutable *executable,
                         PJRT_Buffer *first, PJRT_Buffer *second, PJRT_Buffer *third)
{
    DESTROY(t, Buffer, buffer, first);
    DESTROY(t, Buffer, buffer, second);
    DESTROY(t, Buffer, buffer, third);
    DESTROY(t, LoadedExecutable, executable, executable);
}

void rule_execute_deletes_donated_arguments(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_DONATION(t, executable, donated, other);
    NEED_OK(t, execute_two(t, executable, donated, other, &result));
    CHECK(t, buffer_is_deleted(t, donated), "the donated argument is not deleted");
    CHECK(t, !buffer_is_deleted(t, other), "the other argument is deleted");
    sample_check(t, other);
    end_donation(t, executable, donated, other, result);
}

void rule_execute_uses_donated_arguments(struct rule_context *t)
{
    PJRT_Buffer *result;
    NEED_DONATION(t, executable, donated, other);
    NEED_OK(t, execute_two(t, executable, donated, other, &result));
    sample_check_times(t, result, 2);
    end_donation(t, executable, donated, other, result);
}

void rule_execute_rejects_donated_arguments(struct rule_context *t)
{
    PJRT_Buffer *result, *none = NULL;
    NEED_DONATION(t, executable, donated, other);
    NEED_OK(t, execute_two(t, executable, donated, other, &result));
    CHECK_ERROR(t, execute_two(t, executable, donated, other, &none));
    CHECK_ERROR(t, execute_two(t, executable, other, donated, &none));
    CHECK(t, !buffer_is_deleted(t, other), "a call that failed has deleted its argument");
    sample_check_times(t, result, 2);
    end_donation(t, executable, donated, other, result);
}

void rule_execute_keeps_what_must_not_be_donated(struct rule_context *t)
{
    const int64_t first = 0;
    PJRT_Buffer *result = NULL;
    NEED_DONATION(t, executable, donated, other);
    PJRT_Buffer *const inputs[] = {donated, other};
    struct execution execution = {executable, inputs, 2, NULL, &first, 0, NULL, NULL};
    NEED_OK(t, execution_start(t, &execution, &result));
    sample_check_times(t, result, 2);
    CHECK(t, !buffer_is_deleted(t, donated), "the argument is deleted");
    sample_check(t, donated);
    end_donation(t, executable, donated, other, result);
}

void rule_execute_rejects_donating_twice(struct rule_context *t)
{
    PJRT_Buffer *result = NULL;
    NEED_DONATION(t, executable, donated, other);
    CHECK_ERROR(t, execute_two(t, executable, donated, donated, &result));
    end_donation(t, executable, donated, other, result);
}

void rule_execute_donates_in_chains(struct rule_context *t)
{
    run_chain(t, "sum_donated.mlirbc", 100);
}

void rule_execute_donates_what_is_being_read(struct rule_context *t)
{
    for (int i = 0; i < 20; i++) {
        float back[SAMPLE] = {0}, expected[SAMPLE];
        PJRT_Buffer *result;
        NEED_DONATION(t, executable, donated, other);
        ARGS(t, Buffer_ToHostBuffer, copy, .src = donated, .dst = back, .dst_size = sizeof back);
        NEED_OK(t, CALL(t, Buffer_ToHostBuffer, &copy));
        NEED_OK(t, execute_two(t, executable, donated, other, &result));
        NEED_OK(t, rule_await(t, copy.event));
        sample_fill(expected);
        CHECK(t, !memcmp(back, expected, sizeof back), "the download has elements of the result");
        sample_check_times(t, result, 2);
        end_donation(t, executable, donated, other, result);
    }
}

void rule_execute_donates_what_is_in_use(struct rule_context *t)
{
    NEED_PROGRAM(t, slow, "long.mlirbc");
    for (int i = 0; i < 20; i++) {
        PJRT_Buffer *copy, *result;
        NEED_DONATION(t, executable, donated, other);
        NEED_OK(t, execute_one(t, slow, donated, &copy));
        NEED_OK(t, execute_two(t, executable, donated, other, &result));
        sample_check(t, copy);
        sample_check_times(t, result, 2);
        DESTROY(t, Buffer, buffer, copy);
        end_donation(t, executable, donated, other, result);
    }
    DESTROY(t, LoadedExecutable, executable, slow);
}

/* ---- 13.6 Errors ----------------------------------------------------------------------------- */

void rule_execute_completes_with_errors(struct rule_context *t)
{
    PJRT_Buffer *lost, *result;
    PJRT_Event *done;
    NEED_SAMPLE(t, buffer);
    NEED_PROGRAM(t, executable, "twice.mlirbc");
    NEED_OK(t, buffer_of_error(t, &lost));
    struct error *error = start(t, executable, lost, &result, &done);
    if (!error) {
        error_free(rule_await(t, done)); /* with or without the error, but not a hang */
        error = buffer_await(t, result);
        DESTROY(t, Buffer, buffer, result);
    }
    CHECK_ERROR(t, error);
    NEED_OK(t, execute_one(t, executable, buffer, &result));
    sample_check_times(t, result, 2);
    DESTROY(t, Buffer, buffer, result);
    DESTROY(t, Buffer, buffer, lost);
    DESTROY(t, Buffer, buffer, buffer);
    DESTROY(t, LoadedExecutable, executable, executable);
}
