/* report.c: what the forms of a report share. */
#include "conformance/cts/report.h"

#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/alloc.h"

static void count_verdict(struct report_counts *counts, enum verdict verdict)
{
    bool passed = verdict_is_pass(verdict), failed = verdict_is_failure(verdict);
    counts->verdicts[verdict]++;
    counts->passed += passed;
    counts->failed += failed;
    counts->skipped += !passed && !failed;
}

struct report_counts report_count_area(const struct report *report, enum rule_area area)
{
    struct report_counts counts = {0};
    for (size_t i = 0; i < report->result_count; i++)
        if (report->results[i].rule->area == area)
            count_verdict(&counts, report->results[i].verdict);
    return counts;
}

struct report_counts report_count(const struct report *report)
{
    struct report_counts counts = {0};
    for (size_t i = 0; i < report->result_count; i++)
        count_verdict(&counts, report->results[i].verdict);
    for (int p = 0; p < PROFILE_COUNT; p++)
        if (report->demanded[p])
            counts.failed += profile_missing((enum profile_name)p, &report->answers);
    return counts;
}

void report_print_command(const struct report *report, const char *id, struct text *out)
{
    text_add(out, "gantry cts %s --only %s --seed %llu", report->plugin, id,
             (unsigned long long)report->seed);
}

int report_first_line(const struct result *result)
{
    return result->detail ? (int)strcspn(result->detail, "\n") : 0;
}

/* The first line of a file that begins with `key` holds the value, behind a colon. */
static void read_key(const char *path, const char *key, char *out, size_t capacity)
{
    char line[512];
    FILE *file = fopen(path, "r");
    snprintf(out, capacity, "unknown");
    while (file && fgets(line, sizeof line, file)) {
        const char *colon = strchr(line, ':');
        if (strncmp(line, key, strlen(key)) != 0 || !colon)
            continue;
        colon += 1 + strspn(colon + 1, " \t");
        snprintf(out, capacity, "%.*s", (int)strcspn(colon, "\n"), colon);
        break;
    }
    if (file)
        fclose(file);
}

void report_read_machine(struct report_machine *out)
{
    struct utsname name = {0};
    uname(&name);
    snprintf(out->system, sizeof out->system, "%s %s %s", name.sysname, name.release, name.machine);
    read_key("/proc/cpuinfo", "model name", out->processor, sizeof out->processor);
    out->cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
    out->memory_gib = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / (1 << 30);
}

void report_free(struct report *report)
{
    for (size_t i = 0; i < report->result_count; i++)
        result_free(&report->results[i]);
    alloc_free(report->results);
    *report = (struct report){0};
}

report_printer *report_find(const char *form)
{
    static const struct {
        const char *name;
        report_printer *print;
    } forms[] = {{"terminal", report_print_terminal}, {"json", report_print_json},
                 {"tap", report_print_tap},           {"junit", report_print_junit},
                 {"md", report_print_markdown},       {"html", report_print_html}};
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (!strcmp(forms[i].name, form))
            return forms[i].print;
    return NULL;
}
