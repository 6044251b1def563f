/* plan.h: which rules a run has. */
#ifndef GANTRY_CONFORMANCE_PLAN_H
#define GANTRY_CONFORMANCE_PLAN_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "conformance/cts/rule.h"

enum { PLAN_MAX_PATTERNS = 64 };

/* What the user asks for; zeroed: all rules. A rule is in the plan if one of the patterns, one of
 * the areas (when there are any) and the level select it. */
struct selection {
    const char *patterns[PLAN_MAX_PATTERNS]; /* see rule_matches(); borrowed */
    size_t pattern_count;
    const char *areas[PLAN_MAX_PATTERNS]; /* names or numbers; borrowed */
    size_t area_count;
    bool has_level;
    enum rule_level level; /* rules of this level and stricter ones */
};

struct plan {
    const struct rule **rules; /* owned */
    size_t count;
};

/* INVALID_ARGUMENT for an area that does not exist and a pattern that selects nothing. */
struct error *plan_make(const struct selection *selection, struct plan *out /*owned*/);
void plan_free(struct plan *plan);

#endif
