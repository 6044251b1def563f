/* plan_kinds.h: the operations that write the temporaries of a memory, each with a color of the
 * page's style (c0 to c7): the operations with the largest areas (bytes times steps) have their own
 * color, the others share the last. Not thread-safe. */
#ifndef GANTRY_TOOLS_PLAN_KINDS_H
#define GANTRY_TOOLS_PLAN_KINDS_H

#include "tools/plan_view.h"

enum {
    PLAN_KINDS_COLORS = 8,
    PLAN_KINDS_MAX = 256 /* operations that are listed; further ones share the last color */
};

struct plan_kind {
    const char *name; /* borrowed from the view; not terminated */
    size_t size;
    double area; /* bytes times steps */
};

struct plan_kinds { /* sorted by decreasing area */
    struct plan_kind kinds[PLAN_KINDS_MAX];
    size_t count;
};

void plan_kinds_find(const struct plan_view *view, int memory, struct plan_kinds *out);

/* The color's number for "fusion.3: jit(f)/jvp()/tanh (model.py:12:3)", which is that of "tanh". */
int plan_kinds_color(const struct plan_kinds *kinds, const char *operation);

/* Prints the names with their colors. */
void plan_kinds_legend(const struct plan_kinds *kinds, struct text *out);

#endif
