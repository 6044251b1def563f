/* cts_test.c: runs on this build's own plugin. GANTRY_LIB is its folder. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "conformance/cts/cts.h"

static const char *plugin_path(void)
{
    static char path[4096];
    const char *folder = getenv("GANTRY_LIB");
    snprintf(path, sizeof path, "%s/pjrt_c_api_gantry_plugin.so", folder ? folder : "build/lib");
    return path;
}

static void expect_passes(int jobs, bool in_process)
{
    struct cts_request request = {.plugin = plugin_path(),
                                  .selection = {.patterns = {"2", "6.2"}, .pattern_count = 2},
                                  .profiles[PROFILE_jax] = true,
                                  .seed = 1,
                                  .jobs = jobs,
                                  .in_process = in_process};
    struct report report;
    cr_assert_null(cts_run(&request, &report));
    struct report_counts counts = report_count(&report);
    cr_expect(report.facts.has_client, "%s", report.facts.problem);
    cr_expect_eq(report.facts.minor, 104);
    cr_expect_str_eq(report.facts.platform, "cpu");
    cr_expect_eq(counts.failed, 0);
    cr_expect_gt(counts.passed, 20);
    report_free(&report);
}

Test(cts, in_children)
{
    expect_passes(1, false);
    expect_passes(4, false);
}

Test(cts, in_process)
{
    expect_passes(1, true);
}

Test(cts, no_plugin)
{
    struct cts_request request = {.plugin = "/bin/true", .jobs = 1};
    struct report report;
    cr_assert_null(cts_run(&request, &report));
    cr_expect_not(report.facts.has_table);
    cr_expect_eq(report.result_count, 0);
    report_free(&report);
    request.plugin = "/no/such/file.so";
    struct error *error = cts_run(&request, &report);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
}

Test(cts, list)
{
    struct text text = {0};
    cr_assert_null(cts_list(&(struct selection){0}, &text));
    cr_expect_gt(text.size, 10000);
    text_free(&text);
}
