/* report_terminal.c: a report for people at a terminal: the header, a table of areas, and each
 * result that is not a pass. */
#include <string.h>

#include "conformance/cts/report.h"

struct colors {
    const char *good, *bad, *dim, *bold, *end;
};
static const struct colors plain = {"", "", "", "", ""};
static const struct colors ansi = {"\033[32m", "\033[31m", "\033[2m", "\033[1m", "\033[0m"};

static void print_header(const struct report *report, struct text *out)
{
    const struct plugin_facts *facts = &report->facts;
    text_add(out, "plugin    %s\n", report->plugin);
    text_add(out, "xxh128    %s\n", report->digest);
    text_add(out, "PJRT      %d.%d, a table of %zu bytes, extensions %s\n", facts->major,
             facts->minor, facts->table_size, *facts->extensions ? facts->extensions : "none");
    for (size_t i = 0; i < facts->attribute_count; i++)
        text_add(out, "          %s = %s\n", facts->attributes[i].name, facts->attributes[i].value);
    if (facts->has_client)
        text_add(out, "client    %s, %s, %zu devices (%zu here) of kind %s\n", facts->platform,
                 facts->platform_version, facts->device_count, facts->addressable_count,
                 facts->device_kind);
    else
        text_add(out, "client    none: %s\n", facts->problem);
    text_add(out, "machine   %s, %s, %d cores, %.0f GiB\n", report->machine.system,
             report->machine.processor, report->machine.cores, report->machine.memory_gib);
    text_add(out, "seed      %llu\n\n", (unsigned long long)report->seed);
}

static void print_areas(const struct report *report, struct text *out)
{
    text_add(out, "%-4s%-48s%8s%8s%8s\n", "", "area", "passed", "failed", "skipped");
    for (int area = AREA_NONE + 1; area < AREA_END; area++) {
        struct report_counts counts = report_count_area(report, (enum rule_area)area);
        if (counts.passed + counts.failed + counts.skipped)
            text_add(out, "%2d  %-48s%8d%8d%8d\n", area, rule_areas[area].title, counts.passed,
                     counts.failed, counts.skipped);
    }
    text_add(out, "\n");
}

/* The detail of a result, indented. */
static void print_detail(const struct result *result, struct text *out)
{
    for (const char *line = result->detail; line && *line;) {
        int size = (int)strcspn(line, "\n");
        text_add(out, "       %.*s\n", size, line);
        line += size + (line[size] == '\n');
    }
}

static void print_failure(const struct report *report, const struct result *result,
                          const struct colors *colors, struct text *out)
{
    const struct rule *rule = result->rule;
    text_add(out, "%s%s%s %s %s (%s, %s)\n", colors->bad, verdict_name(result->verdict),
             colors->end, rule->id, rule->name, rule_level_name(rule->level), rule->source);
    text_add(out, "  rule %s\n", rule->sentence);
    print_detail(result, out);
    text_add(out, "       %s", colors->dim);
    report_print_command(report, rule->id, out);
    text_add(out, "%s\n\n", colors->end);
}

/* Why a result is neither a pass nor a failure, or a pass that the list does not expect. */
static const char *reason_of(const struct result *result)
{
    return result->expected ? result->expected : result->detail ? result->detail : "";
}

static bool is_noted(const struct result *result)
{
    return result->verdict != PASSED && !verdict_is_failure(result->verdict);
}

static bool same_note(const struct result *a, const struct result *b)
{
    const char *x = reason_of(a), *y = reason_of(b);
    size_t size = strcspn(x, "\n");
    return is_noted(b) && a->verdict == b->verdict && size == strcspn(y, "\n") &&
           !strncmp(x, y, size);
}

static bool is_first_of_its_note(const struct report *report, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (same_note(&report->results[i], &report->results[k]))
            return false;
    return true;
}

/* Adds the rules of a note: neighbors as "6.1.2 to 6.3.4". */
static void add_ids(const struct report *report, size_t i, struct text *out)
{
    const struct result *of = &report->results[i];
    for (size_t k = i, end; k < report->result_count; k = end) {
        for (end = k; end < report->result_count && same_note(of, &report->results[end]); end++)
            ;
        if (end == k) {
            end++;
            continue;
        }
        text_add(out, " %s", report->results[k].rule->id);
        if (end > k + 1)
            text_add(out, "%s %s", end > k + 2 ? " to" : "", report->results[end - 1].rule->id);
    }
}

/* A reason, and the rules that have it. */
static void print_note(const struct report *report, size_t i, const struct colors *colors,
                       struct text *out)
{
    const struct result *result = &report->results[i];
    const char *reason = reason_of(result);
    text_add(out, "%s%s%s %.*s\n ", colors->bold, verdict_name(result->verdict), colors->end,
             (int)strcspn(reason, "\n"), reason);
    add_ids(report, i, out);
    text_add(out, "\n\n");
}

static void print_results(const struct report *report, const struct colors *colors,
                          struct text *out)
{
    for (size_t i = 0; i < report->result_count; i++)
        if (is_noted(&report->results[i]) && is_first_of_its_note(report, i))
            print_note(report, i, colors, out);
    for (size_t i = 0; i < report->result_count; i++)
        if (verdict_is_failure(report->results[i].verdict))
            print_failure(report, &report->results[i], colors, out);
}

/* What rules that passed have to report, such as speeds. */
static void print_reported(const struct report *report, struct text *out)
{
    for (size_t i = 0; i < report->result_count; i++) {
        const struct result *result = &report->results[i];
        if (result->verdict == PASSED && result->detail && *result->detail)
            text_add(out, "%-8s %-28s %.*s\n", result->rule->id, result->rule->name,
                     (int)strcspn(result->detail, "\n"), result->detail);
    }
}

static void print_profiles(const struct report *report, const struct colors *colors,
                           struct text *out)
{
    for (int p = 0; p < PROFILE_COUNT; p++) {
        int missing = profile_missing((enum profile_name)p, &report->answers);
        text_add(out, "profile %-6s %s%s%s", profiles[p].name, missing ? colors->bad : colors->good,
                 missing ? "lacks" : "complete", colors->end);
        for (int i = 0; i < FUNCTION_COUNT; i++)
            if (profiles[p].needs[i] && report->answers.missing[i])
                text_add(out, " %s", pjrt_functions[i].name);
        text_add(out, "\n");
    }
}

static void print(const struct report *report, const struct colors *colors, struct text *out)
{
    struct report_counts counts = report_count(report);
    print_header(report, out);
    print_areas(report, out);
    print_results(report, colors, out);
    print_reported(report, out);
    print_profiles(report, colors, out);
    text_add(out, "%.1f s, %s%s%s\n", report->seconds, counts.failed ? colors->bad : colors->good,
             counts.failed ? "not conformant" : "conformant", colors->end);
    text_add(out, "%d passed, %d failed, %d skipped\n", counts.passed, counts.failed,
             counts.skipped);
}

void report_print_terminal(const struct report *report, struct text *out)
{
    print(report, &plain, out);
}

void report_print_color(const struct report *report, struct text *out)
{
    print(report, &ansi, out);
}
