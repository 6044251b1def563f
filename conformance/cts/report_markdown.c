/* report_markdown.c: a report as a section of a page in Markdown. */
#include <string.h>

#include "conformance/cts/report.h"

static void print_areas(const struct report *report, struct text *out)
{
    text_add(out, "| area | passed | failed | skipped |\n|---|---:|---:|---:|\n");
    for (int area = AREA_NONE + 1; area < AREA_END; area++) {
        struct report_counts counts = report_count_area(report, (enum rule_area)area);
        if (counts.passed + counts.failed + counts.skipped)
            text_add(out, "| %d %s | %d | %d | %d |\n", area, rule_areas[area].title, counts.passed,
                     counts.failed, counts.skipped);
    }
}

/* Text of a table's cell, on one line. */
static void add_cell(struct text *out, const char *words, size_t size)
{
    for (size_t i = 0; i < size; i++)
        text_add(out, "%s%c", words[i] == '|' ? "\\" : "", words[i] == '\n' ? ' ' : words[i]);
}

static void print_others(const struct report *report, struct text *out)
{
    text_add(out, "\n| rule | level | result | what it says | what was found |\n");
    text_add(out, "|---|---|---|---|---|\n");
    for (size_t i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (result->verdict == PASSED)
            continue;
        const char *found = result->expected ? result->expected : result->detail;
        text_add(out, "| %s | %s | %s | ", result->rule->id, rule_level_name(result->rule->level),
                 verdict_name(result->verdict));
        add_cell(out, result->rule->sentence, strlen(result->rule->sentence));
        text_add(out, " | ");
        add_cell(out, found, found ? strcspn(found, "\n") : 0);
        text_add(out, " |\n");
    }
}

void report_print_markdown(const struct report *report, struct text *out)
{
    struct report_counts counts = report_count(report);
    const struct plugin_facts *facts = &report->facts;
    const char *slash = strrchr(report->plugin, '/');
    text_add(out, "## %s\n", slash ? slash + 1 : report->plugin);
    text_add(out, "PJRT %d.%d, xxh128 `%.16s…`, %s%s\n\n", facts->major, facts->minor,
             report->digest, facts->has_client ? facts->platform : "no client: ",
             facts->has_client ? "" : facts->problem);
    print_areas(report, out);
    print_others(report, out);
    text_add(out, "\n");
    for (int p = 0; p < PROFILE_COUNT; p++)
        text_add(out, "%s %s: %d functions missing", p ? ";" : "Profiles:", profiles[p].name,
                 profile_missing((enum profile_name)p, &report->answers));
    text_add(out, ".\n\n%d passed, %d failed, %d skipped\n", counts.passed, counts.failed,
             counts.skipped);
}
