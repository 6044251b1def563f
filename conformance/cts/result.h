/* result.h: the result of a rule. */
#ifndef GANTRY_CONFORMANCE_RESULT_H
#define GANTRY_CONFORMANCE_RESULT_H

#include "conformance/cts/child.h"
#include "conformance/cts/rule.h"

enum verdict {
    PASSED,
    FAILED,  /* a check found something else */
    CRASHED, /* the process ended inside of the rule */
    TIMED_OUT,
    LEAKED,  /* memory, threads or files */
    SKIPPED, /* not supported and optional, newer than the plugin, or not testable here */
    WARNED,  /* not supported, and clients lose something; or a failure of an EXTRA rule */
    XFAILED, /* known to fail, for a reason that the list of expectations has */
    XPASSED, /* passes although the list says that it fails: the list has to shrink */
    VERDICT_COUNT
};

struct result {
    const struct rule *rule;
    enum verdict verdict;
    double seconds;
    char *detail;   /* what was found, lines; or NULL (owned) */
    char *expected; /* of XFAILED and XPASSED: the reason in the list (owned) */
};

/* static: "passed", "failed", "crashed", "timed out", "leaked" ... */
const char *verdict_name(enum verdict verdict);
/* Each verdict counts as one of passed, failed and skipped. */
bool verdict_is_failure(enum verdict verdict); /* FAILED, CRASHED, TIMED_OUT, LEAKED */
bool verdict_is_pass(enum verdict verdict);    /* PASSED, XPASSED */

/* The result of a rule whose child ended so and left that outcome. Errors: RESOURCE_EXHAUSTED. */
struct error *result_of(const struct rule *rule, const struct child_end *end,
                        const struct outcome *outcome, struct result *out /*owned*/);
/* A result without a run: SKIPPED, with that reason. */
struct error *result_skipped(const struct rule *rule, struct result *out /*owned*/,
                             const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Makes the failure of a rule that nothing promises a warning. */
void result_forgive(struct result *result);
void result_free(struct result *result);

#endif
