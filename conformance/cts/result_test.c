/* result_test.c: verdicts by how a rule ended, what it found, and its level. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "conformance/cts/result.h"

static const struct rule must = {.id = "1.1.1", .level = MUST},
                         should = {.id = "1.1.2", .level = SHOULD},
                         optional = {.id = "1.1.3", .level = OPTIONAL};

static void expect_verdict(const struct rule *rule, const struct child_end *end,
                           const struct outcome *outcome, enum verdict expected, const char *part)
{
    struct result result;
    cr_assert_null(result_of(rule, end, outcome, &result));
    cr_expect_eq(result.verdict, expected, "%s instead of %s", verdict_name(result.verdict),
                 verdict_name(expected));
    cr_expect(!*part || strstr(result.detail, part), "'%s' is not in: %s", part, result.detail);
    result_free(&result);
}

Test(result, passes_and_failures)
{
    struct child_end done = {.how = CHILD_DONE};
    expect_verdict(&must, &done, &(struct outcome){0}, PASSED, "");
    expect_verdict(&must, &done, &(struct outcome){.failures = 1, .text = "x\n"}, FAILED, "x");
    expect_verdict(&must, &done, &(struct outcome){.failures = 2, .leaks = 2}, LEAKED, "");
    expect_verdict(&must, &done, &(struct outcome){.failures = 2, .leaks = 1}, FAILED, "");
    expect_verdict(&must, &done, &(struct outcome){.skipped = true, .text = "no"}, SKIPPED, "no");
}

Test(result, what_is_unsupported_depends_on_the_level)
{
    struct child_end done = {.how = CHILD_DONE};
    struct outcome outcome = {.unsupported = true};
    expect_verdict(&must, &done, &outcome, FAILED, "");
    expect_verdict(&should, &done, &outcome, WARNED, "");
    expect_verdict(&optional, &done, &outcome, SKIPPED, "");
    outcome.failures = 1;
    expect_verdict(&optional, &done, &outcome, FAILED, "");
}

Test(result, failures_of_extra_rules_can_be_forgiven)
{
    static const struct rule extra = {.id = "1.1.4", .level = EXTRA};
    struct child_end crash = {.how = CHILD_CRASHED, .signal = SIGSEGV};
    const struct rule *const each[] = {&optional, &extra};
    for (int i = 0; i < 2; i++) {
        struct result result;
        cr_assert_null(result_of(each[i], &crash, &(struct outcome){0}, &result));
        cr_expect_eq(result.verdict, CRASHED);
        result_forgive(&result);
        cr_expect_eq(result.verdict, i ? WARNED : CRASHED);
        cr_expect(strstr(result.detail, "signal 11"), "%s", result.detail);
        result_free(&result);
    }
    expect_verdict(&extra, &(struct child_end){.how = CHILD_DONE},
                   &(struct outcome){.unsupported = true}, SKIPPED, "");
}

Test(result, ends_of_processes)
{
    struct child_end crash = {.how = CHILD_CRASHED, .signal = SIGSEGV, .output = "Check failed"};
    struct child_end left = {.how = CHILD_CRASHED, .status = 7};
    struct child_end hang = {.how = CHILD_TIMED_OUT, .seconds = 60};
    struct outcome outcome = {.call = "PJRT_Client_Devices"};
    expect_verdict(&must, &crash, &outcome, CRASHED, "in PJRT_Client_Devices");
    expect_verdict(&must, &crash, &outcome, CRASHED, "Check failed");
    expect_verdict(&must, &left, &(struct outcome){0}, CRASHED, "status 7 outside of a call");
    expect_verdict(&must, &hang, &outcome, TIMED_OUT, "no end after 60 s");
}

Test(result, every_verdict_counts_once)
{
    int passes = 0, failures = 0;
    for (int i = 0; i < VERDICT_COUNT; i++) {
        bool pass = verdict_is_pass((enum verdict)i), failure = verdict_is_failure((enum verdict)i);
        cr_expect_not(pass && failure);
        passes += pass, failures += failure;
    }
    cr_expect_eq(passes, 2);
    cr_expect_eq(failures, 4);
}
