/* report_junit.c: a report as JUnit's XML, which CI systems read. */
#include "conformance/cts/markup.h"
#include "conformance/cts/report.h"

static void print_failure(const struct report *report, const struct result *result,
                          struct text *out)
{
    text_add(out, "<failure type=\"%s\" message=\"", verdict_name(result->verdict));
    markup_add(out, result->rule->sentence);
    text_add(out, "\">");
    markup_add(out, result->detail);
    text_add(out, "\n");
    struct text command = {0};
    report_print_command(report, result->rule->id, &command);
    markup_add(out, command.data);
    text_free(&command);
    text_add(out, "</failure>");
}

static void print_case(const struct report *report, const struct result *result, struct text *out)
{
    text_add(out, "  <testcase classname=\"%s\" name=\"%s %s\" time=\"%.3f\">",
             rule_areas[result->rule->area].name, result->rule->id, result->rule->name,
             result->seconds);
    if (verdict_is_failure(result->verdict)) {
        print_failure(report, result, out);
    } else if (!verdict_is_pass(result->verdict)) {
        text_add(out, "<skipped message=\"");
        markup_add(out, result->expected ? result->expected : result->detail);
        text_add(out, "\"/>");
    }
    text_add(out, "</testcase>\n");
}

void report_print_junit(const struct report *report, struct text *out)
{
    struct report_counts counts = report_count(report);
    text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"gantry cts\" ");
    text_add(out, "tests=\"%zu\" failures=\"%d\" skipped=\"%d\" time=\"%.3f\">\n  <properties>\n",
             report->result_count, counts.failed, counts.skipped, report->seconds);
    text_add(out, "    <property name=\"plugin\" value=\"");
    markup_add(out, report->plugin);
    text_add(out, "\"/>\n    <property name=\"xxh128\" value=\"%s\"/>\n", report->digest);
    text_add(out, "    <property name=\"seed\" value=\"%llu\"/>\n  </properties>\n",
             (unsigned long long)report->seed);
    for (size_t i = 0; i < report->result_count; i++)
        print_case(report, &report->results[i], out);
    text_add(out, "</testsuite>\n");
}
