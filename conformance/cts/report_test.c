/* report_test.c: each form of a report says what there is to say, and can be parsed. */
#include <cjson/cJSON.h>
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "conformance/cts/report.h"

static char *copy_of(const char *text)
{
    char *copy;
    cr_assert_null(alloc_copy(text, strlen(text) + 1, &copy));
    return copy;
}

/* A result of each kind, for the first rules of the table. */
static struct report make_report(void)
{
    static const enum verdict verdicts[] = {PASSED, FAILED, CRASHED, XFAILED, SKIPPED, XPASSED};
    struct report report = {.plugin = "a<b>&.so", .seed = 7};
    report.result_count = sizeof verdicts / sizeof *verdicts;
    cr_assert_null(alloc_zeroed(report.result_count * sizeof *report.results, &report.results));
    for (size_t i = 0; i < report.result_count; i++) {
        report.results[i] = (struct result){.rule = &rules[i], .verdict = verdicts[i]};
        if (verdicts[i] != PASSED && verdicts[i] != XPASSED)
            report.results[i].detail = copy_of("found <2> | \"x\"\nand more\n");
        if (verdicts[i] == XFAILED || verdicts[i] == XPASSED)
            report.results[i].expected = copy_of("the reason");
    }
    return report;
}

/* Prints a form, and expects these parts in it. */
static void expect_parts(const char *form, const char *const *parts)
{
    struct report report = make_report();
    struct text text = {0};
    report_find(form)(&report, &text);
    cr_assert_not(text.failed);
    for (; *parts; parts++)
        cr_expect_not_null(strstr(text.data, *parts), "%s: no '%s' in: %s", form, *parts,
                           text.data);
    text_free(&text);
    report_free(&report);
}

Test(report, counts)
{
    struct report report = make_report();
    struct report_counts counts = report_count(&report);
    cr_expect_eq(counts.passed, 2);
    cr_expect_eq(counts.failed, 2);
    cr_expect_eq(counts.skipped, 2);
    report.demanded[PROFILE_jax] = true;
    report.answers.missing[FUNCTION_Client_Create] = true;
    cr_expect_eq(report_count(&report).failed, 3);
    cr_expect_eq(report_count_area(&report, rules[0].area).failed, 2, "profiles have no area");
    cr_expect_eq(report_count_area(&report, rules[0].area).passed, 2);
    cr_expect_eq(report_count_area(&report, AREA_NONE).skipped, 0);
    report_free(&report);
}

/* Neighbors with one reason are written as a range. */
Test(report, terminal_ranges)
{
    struct report report = make_report();
    struct text text = {0};
    for (size_t i = 0; i < report.result_count; i++) {
        alloc_free(report.results[i].expected), report.results[i].expected = NULL;
        alloc_free(report.results[i].detail), report.results[i].detail = NULL;
        report.results[i].verdict = i == 1 ? PASSED : SKIPPED;
    }
    report_find("terminal")(&report, &text);
    char ids[128];
    snprintf(ids, sizeof ids, " %s %s to %s\n", rules[0].id, rules[2].id, rules[5].id);
    cr_expect_not_null(strstr(text.data, ids), "no '%s' in: %s", ids, text.data);
    text_free(&text);
    report_free(&report);
}

Test(report, terminal)
{
    expect_parts("terminal", (const char *const[]){"gantry cts a<b>&.so --only 1.1.2 --seed 7",
                                                   rules[1].sentence, "and more", "the reason",
                                                   "2 passed, 2 failed, 2 skipped\n", NULL});
}

Test(report, tap)
{
    expect_parts("tap",
                 (const char *const[]){"TAP version 14\n1..6\n", "ok 1 - 1.1.1", "not ok 2 - 1.1.2",
                                       "# TO"
                                       "DO the reason",
                                       "# SKIP found <2>", NULL});
}

Test(report, junit)
{
    expect_parts("junit", (const char *const[]){"failures=\"2\" skipped=\"2\"",
                                                "found &lt;2&gt; | &quot;x&quot;",
                                                "<skipped message=\"the reason\"/>",
                                                "a&lt;b&gt;&amp;.so", "</testsuite>", NULL});
}

Test(report, pages)
{
    expect_parts("md", (const char *const[]){"## a<b>&.so", "found <2> \\| \"x\" |",
                                             "2 passed, 2 failed, 2 skipped", NULL});
    expect_parts("html",
                 (const char *const[]){"<h1>a&lt;b&gt;&amp;.so", ">2 passed<", ">2 failed<",
                                       ">2 skipped<", "<h2>Failures</h2>", "found &lt;2&gt;",
                                       "prefers-color-scheme:dark", NULL});
    cr_expect_null(report_find("pdf"));
}

Test(report, json)
{
    struct report report = make_report();
    struct text text = {0};
    report_print_json(&report, &text);
    cJSON *json = cJSON_Parse(text.data);
    cr_assert_not_null(json);
    cJSON *results = cJSON_GetObjectItem(json, "results"), *second = cJSON_GetArrayItem(results, 1);
    cr_expect_eq(cJSON_GetArraySize(results), 6);
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(second, "result")), "failed");
    cr_expect_str_eq(cJSON_GetStringValue(cJSON_GetObjectItem(second, "rule")), rules[1].sentence);
    cJSON *counts = cJSON_GetObjectItem(json, "counts");
    cr_expect_eq((int)cJSON_GetNumberValue(cJSON_GetObjectItem(counts, "skipped")), 2);
    cJSON_Delete(json);
    text_free(&text);
    report_free(&report);
}
