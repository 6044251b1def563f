/* report_html.c: a report as one page without other files. */
#include "conformance/cts/markup.h"
#include "conformance/cts/report.h"

static const char head[] =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><title>gantry cts</title><style>"
    "body{font:15px system-ui;max-width:70em;margin:2em auto;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td{border-top:1px solid #ccc;padding:.3em .5em;"
    "vertical-align:top}pre{white-space:pre-wrap;margin:.3em 0;color:#555}"
    ".good{color:#060}.bad{color:#a00;font-weight:600}.other{color:#666}</style>\n";

static const char *class_of(enum verdict verdict)
{
    return verdict_is_failure(verdict) ? "bad" : verdict_is_pass(verdict) ? "good" : "other";
}

static void print_header(const struct report *report, struct text *out)
{
    const struct plugin_facts *facts = &report->facts;
    text_add(out, "<h1>");
    markup_add(out, report->plugin);
    text_add(out, "</h1><p>PJRT %d.%d, xxh128 %s, seed %llu<br>", facts->major, facts->minor,
             report->digest, (unsigned long long)report->seed);
    markup_add(out, facts->has_client ? facts->platform_version : facts->problem);
    text_add(out, "<br>");
    markup_add(out, report->machine.system);
    text_add(out, ", ");
    markup_add(out, report->machine.processor);
    text_add(out, ", %d cores</p>\n", report->machine.cores);
}

static void print_row(const struct report *report, const struct result *result, struct text *out)
{
    text_add(out, "<tr><td>%s<td class=\"%s\">%s<td>%s<td>", result->rule->id,
             class_of(result->verdict), verdict_name(result->verdict),
             rule_level_name(result->rule->level));
    markup_add(out, result->rule->sentence);
    if (result->verdict != PASSED) {
        text_add(out, "<pre>");
        markup_add(out, result->expected);
        text_add(out, result->expected ? "\n" : "");
        markup_add(out, result->detail);
        report_print_command(report, result->rule->id, out);
        text_add(out, "</pre>");
    }
    text_add(out, "\n");
}

static void print_profiles(const struct report *report, struct text *out)
{
    text_add(out, "<h2>Profiles</h2><table>\n");
    for (int p = 0; p < PROFILE_COUNT; p++) {
        text_add(out, "<tr><td>%s<td>%s<td>", profiles[p].name, profiles[p].title);
        for (int i = 0; i < FUNCTION_COUNT; i++)
            if (profiles[p].needs[i] && report->answers.missing[i])
                text_add(out, "<span class=\"bad\">%s</span> ", pjrt_functions[i].name);
        text_add(out, "\n");
    }
    text_add(out, "</table>\n");
}

void report_print_html(const struct report *report, struct text *out)
{
    struct report_counts counts = report_count(report);
    enum rule_area area = AREA_NONE;
    text_add_bytes(out, head, sizeof head - 1);
    print_header(report, out);
    for (size_t i = 0; i < report->result_count; i++) {
        const struct rule *rule = report->results[i].rule;
        if (rule->area != area)
            text_add(out, "%s<h2>%d %s</h2><table>\n", area ? "</table>" : "", (int)rule->area,
                     rule_areas[rule->area].title);
        area = rule->area;
        print_row(report, &report->results[i], out);
    }
    text_add(out, "%s\n", area ? "</table>" : "");
    print_profiles(report, out);
    text_add(out, "<p>%d passed, %d failed, %d skipped</p>\n", counts.passed, counts.failed,
             counts.skipped);
}
