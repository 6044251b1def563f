/* report.h: the results of a run, and the forms in which they are printed. JSON has everything; the
 * others show what their readers need. Each form ends with the same counts. */
#ifndef GANTRY_CONFORMANCE_REPORT_H
#define GANTRY_CONFORMANCE_REPORT_H

#include <stdint.h>

#include "base/text.h"
#include "conformance/cts/digest.h"
#include "conformance/cts/expected.h"
#include "conformance/cts/plugin_facts.h"
#include "conformance/cts/profile.h"
#include "conformance/cts/result.h"

struct report_machine {
    char system[256], processor[128]; /* "Linux 6.1.0 x86_64", "AMD EPYC ..." */
    int cores;
    double memory_gib;
};

struct report {
    const char *plugin; /* path; borrowed */
    char digest[DIGEST_TEXT];
    struct plugin_facts facts;
    struct report_machine machine;
    uint64_t seed;
    double seconds;         /* of all rules together, as the clock goes */
    struct result *results; /* in the order of the plan (owned) */
    size_t result_count;
    struct profile_answers answers;
    bool demanded[PROFILE_COUNT]; /* profiles whose missing functions are failures */
};

struct report_counts {
    int passed, failed, skipped; /* a demanded profile's functions included */
    int verdicts[VERDICT_COUNT];
};

struct report_counts report_count(const struct report *report);
/* Only the rules of an area, and no profiles. */
struct report_counts report_count_area(const struct report *report, enum rule_area area);
void report_read_machine(struct report_machine *out);
void report_free(struct report *report);

/* The command that repeats one rule: "gantry cts plugin.so --only 6.2.3 --seed 7". */
void report_print_command(const struct report *report, const char *id, struct text *out);
/* "client crashed: ...": the first line of a result's detail, without its end. */
int report_first_line(const struct result *result);

/* ---- Forms: report_<form>.c ------------------------------------------------------------------ */

typedef void report_printer(const struct report *report, struct text *out);
report_printer report_print_terminal, report_print_color, report_print_json, report_print_tap,
    report_print_junit, report_print_markdown, report_print_html;

/* The printer of a form: terminal, json, tap, junit, md or html; NULL for another name. */
report_printer *report_find(const char *form);

#endif
