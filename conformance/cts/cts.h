/* cts.h: the conformance suite as a whole: from a request to a report. The only header of the suite
 * that its command includes, with report.h and plan.h. One run at a time; the calling process must
 * have one thread, and never opens the plugin. */
#ifndef GANTRY_CONFORMANCE_CTS_H
#define GANTRY_CONFORMANCE_CTS_H

#include "conformance/cts/plan.h"
#include "conformance/cts/report.h"

struct cts_request {
    const char *plugin; /* path */
    struct selection selection;
    const char *expected;         /* a list of expectations beside the embedded ones, or NULL */
    bool profiles[PROFILE_COUNT]; /* whose missing functions are failures */
    uint64_t seed;
    /* Rules that run at a time. 0: one, since many devices admit one process only; where the
     * devices are the host's processors, or there is no client, as many as there are cores. */
    int jobs;
    bool strict;     /* failures of EXTRA rules are failures, not warnings */
    bool in_process; /* for debuggers: in this process, one after the other, without time limits */
    bool progress;   /* show a progress bar on stderr */
};

/* Runs the rules. A plugin that cannot be loaded is no error: the report's facts say so, and it has
 * no results. INVALID_ARGUMENT for a mistake in the request, NOT_FOUND if a file is missing,
 * FAILED_PRECONDITION if the plugin's file was replaced before the run ended. */
struct error *cts_run(const struct cts_request *request, struct report *out /*owned*/);

/* Prints the selected rules, one a line: id, level, first minor version, name, sentence. */
struct error *cts_list(const struct selection *selection, struct text *out);

#endif
