/* expected_test.c: lists of expectations. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/cts/expected.h"

static const struct rule rule = {.id = "6.2.3", .name = "client.ids"};

static const struct expected_plugin plugin = {"/lib/libtpu.so", 117};

static void expect_applied(const char *list, enum verdict before, enum verdict after,
                           const char *reason)
{
    struct expected expected = {0};
    struct result result = {.rule = &rule, .verdict = before};
    cr_assert_null(expected_add(&expected, &plugin, "list", list));
    cr_assert_null(expected_apply(&expected, &result));
    cr_expect_eq(result.verdict, after, "%s: %s", list, verdict_name(result.verdict));
    cr_expect_str_eq(result.expected ? result.expected : "", reason);
    result_free(&result);
    expected_free(&expected);
}

Test(expected, failures_and_passes)
{
    expect_applied("6.2.3 has no ids\n", FAILED, XFAILED, "has no ids");
    expect_applied("# c\n\n  6.2\thas no ids", CRASHED, XFAILED, "has no ids");
    expect_applied("client.* r\n", PASSED, XPASSED, "r");
    expect_applied("6.2.3 r\n", SKIPPED, SKIPPED, "");
    expect_applied("6.2.4 r\n", FAILED, FAILED, "");
}

Test(expected, lists_of_other_plugins)
{
    expect_applied("plugin libtpu*.so\n6.2.3 r\n", FAILED, XFAILED, "r");
    expect_applied("plugin other.so\n6.2.3 r\n", FAILED, FAILED, "");
    expect_applied("plugin libtpu.so 117\n6.2.3 r\n", FAILED, XFAILED, "r");
    expect_applied("plugin libtpu.so 67\n6.2.3 r\n", FAILED, FAILED, "");
}

Test(expected, lines_need_reasons)
{
    struct expected expected = {0};
    struct error *error = expected_add(&expected, &plugin, "list", "# c\n6.2.3\n");
    cr_assert_eq(error_code(error), PJRT_Error_Code_INVALID_ARGUMENT);
    cr_expect_not_null(strstr(error_message(error, NULL), "list:2"));
    error_free(error);
    expected_free(&expected);
}

Test(expected, embedded_lists_are_valid)
{
    struct expected expected;
    cr_expect_null(expected_read(&plugin, NULL, &expected));
    cr_expect_gt(expected.count, 0);
    expected_free(&expected);
    struct error *error = expected_read(&plugin, "/no/such/file", &expected);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND);
    error_free(error);
    expected_free(&expected);
    error = expected_read(&plugin, "/tmp", &expected);
    cr_expect_eq(error_code(error), PJRT_Error_Code_NOT_FOUND, "a folder is no list");
    error_free(error);
    expected_free(&expected);
}

/* Lists have no largest size. */
Test(expected, long_files_are_read_whole)
{
    char path[] = "/tmp/gantry_expected_XXXXXX";
    struct expected expected;
    struct result result = {.rule = &rule, .verdict = FAILED};
    FILE *file = fdopen(mkstemp(path), "w");
    for (int i = 0; i < 10000; i++)
        fprintf(file, "# comment %d\n", i);
    fprintf(file, "plugin *\n6.2.3 the last one\n");
    fclose(file);
    cr_assert_null(expected_read(&plugin, path, &expected));
    cr_assert_null(expected_apply(&expected, &result));
    cr_expect_str_eq(result.expected ? result.expected : "", "the last one");
    result_free(&result);
    expected_free(&expected);
    remove(path);
}
