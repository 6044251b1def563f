/* rule_context_test.c: what checks record. GANTRY_LIB is the folder of this build's plugin. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/rule_context.h"

static const char *plugin_path(void)
{
    static char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    return path;
}

static void need(struct rule_context *t, struct error *error, bool *reached)
{
    NEED_OK(t, error);
    *reached = true;
}

Test(rule_context, unimplemented_is_no_failure)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    bool reached = false;
    need(&t, ERROR(UNIMPLEMENTED, "not here"), &reached);
    cr_expect_not(reached);
    cr_expect(outcome.unsupported);
    cr_expect_eq(outcome.failures, 0);
    cr_expect_not_null(strstr(outcome.text, "not here"));
    need(&t, ERROR(INTERNAL, "broken"), &reached);
    cr_expect_eq(outcome.failures, 1);
    need(&t, NULL, &reached);
    cr_expect(reached);
}

Test(rule_context, checks_of_errors)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    CHECK_CODE(&t, NOT_FOUND, ERROR(NOT_FOUND, "no"));
    CHECK_ERROR(&t, ERROR(INTERNAL, "no"));
    cr_expect_eq(outcome.failures, 0);
    CHECK_CODE(&t, NOT_FOUND, ERROR(INTERNAL, "no"));
    CHECK_CODE(&t, NOT_FOUND, NULL);
    CHECK_ERROR(&t, NULL);
    CHECK_ERROR(&t, ERROR(INTERNAL, "%s", ""));
    CHECK_OK(&t, ERROR(INTERNAL, "no"));
    cr_expect_eq(outcome.failures, 5, "%d: %s", outcome.failures, outcome.text);
}

Test(rule_context, text_has_an_end)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    for (int i = 0; i < 1000; i++)
        rule_fail(&t, "failure %d of many", i);
    cr_expect_eq(outcome.failures, 1000);
    cr_expect_leq(strnlen(outcome.text, OUTCOME_TEXT), OUTCOME_TEXT);
    cr_expect_not_null(memmem(outcome.text, OUTCOME_TEXT, "failure 100 ", 12));
}

Test(rule_context, no_library)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome, .path = "/no/such/plugin.so"};
    cr_expect_not(rule_open_client(&t));
    cr_expect_eq(outcome.failures, 1);
    rule_close(&t);
}

/* A client that cannot be created is demanded by a rule of its own; the others are skipped, unless
 * there was one when the run began. */
Test(rule_context, no_client)
{
    setenv("GANTRY_CPU_DEVICES", "no number", true);
    for (int had_client = 0; had_client < 2; had_client++) {
        struct outcome outcome = {0};
        struct rule_context t = {
            .outcome = &outcome, .path = plugin_path(), .had_client = had_client};
        cr_expect_not(rule_open_client(&t));
        cr_expect_eq(outcome.failures, had_client, "%s", outcome.text);
        cr_expect_eq(atomic_load(&outcome.skipped), !had_client, "%s", outcome.text);
        rule_close(&t);
    }
}

Test(rule_context, random_numbers_repeat)
{
    struct rule_context a = {.seed = 5}, b = {.seed = 5}, c = {.seed = 6};
    uint64_t first = rule_random(&a);
    cr_expect_eq(first, rule_random(&b));
    cr_expect_neq(first, rule_random(&c));
    cr_expect_neq(first, rule_random(&a));
}
