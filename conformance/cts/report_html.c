/* report_html.c: a report as one page without other files. */
#include "conformance/cts/markup.h"
#include "conformance/cts/report.h"

static const char head[] =
    "<!DOCTYPE html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" "
    "content=\"width=device-width\"><title>gantry cts</title><style>"
    ":root{color-scheme:light dark;--line:#ccc;--dim:#555;--good:#060;--bad:#a00}"
    "@media(prefers-color-scheme:dark){:root{--line:#3a434f;--dim:#9aa7b8;--good:#6fd39c;"
    "--bad:#ff8a80}}"
    "body{font:15px system-ui;max-width:70em;margin:2em auto;padding:0 1em}"
    "h1{overflow-wrap:anywhere}table{border-collapse:collapse;width:100%}"
    "td{border-top:1px solid var(--line);padding:.3em .5em;vertical-align:top}"
    "td:last-child{overflow-wrap:anywhere}"
    "pre{white-space:pre-wrap;margin:.3em 0;color:var(--dim);overflow-wrap:anywhere}"
    ".totals{font-size:1.2em}.good{color:var(--good)}.bad{color:var(--bad);font-weight:600}"
    ".other{color:var(--dim)}</style>\n";

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

static void print_totals(const struct report *report, struct text *out)
{
    struct report_counts counts = report_count(report);
    text_add(out,
             "<p class=\"totals\"><span class=\"good\">%d passed</span>, <span "
             "class=\"%s\">%d failed</span>, <span class=\"other\">%d skipped</span></p>\n",
             counts.passed, counts.failed ? "bad" : "other", counts.failed, counts.skipped);
}

/* The rules that failed, before all others. */
static void print_failures(const struct report *report, struct text *out)
{
    if (!report_count(report).failed)
        return;
    text_add(out, "<h2>Failures</h2><table>\n");
    for (size_t i = 0; i < report->result_count; i++)
        if (verdict_is_failure(report->results[i].verdict))
            print_row(report, &report->results[i], out);
    text_add(out, "</table>\n");
}

static void print_areas(const struct report *report, struct text *out)
{
    enum rule_area area = AREA_NONE;
    for (size_t i = 0; i < report->result_count; i++) {
        const struct rule *rule = report->results[i].rule;
        if (rule->area != area)
            text_add(out, "%s<h2>%d %s</h2><table>\n", area ? "</table>" : "", (int)rule->area,
                     rule_areas[rule->area].title);
        area = rule->area;
        print_row(report, &report->results[i], out);
    }
    text_add(out, "%s\n", area ? "</table>" : "");
}

void report_print_html(const struct report *report, struct text *out)
{
    text_add_bytes(out, head, sizeof head - 1);
    print_header(report, out);
    print_totals(report, out);
    print_failures(report, out);
    print_areas(report, out);
    print_profiles(report, out);
}
