/* explore_rows.h: the results of `gantry explore`: a plan for each topology, mesh and batch; the
 * Pareto front; and output as table, JSON and page. Not thread-safe. */
#ifndef GANTRY_TOOLS_EXPLORE_ROWS_H
#define GANTRY_TOOLS_EXPLORE_ROWS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

struct explore_row {
    char tpu[24], mesh[40]; /* "v5e:4x4", "2x8" */
    int generation, chips;  /* generation: index among those that were asked for */
    int batch;              /* 0: the program's own */
    double seconds, peak_bytes, capacity_bytes, mfu;
    bool fits;
    bool is_front; /* set by explore_rows_mark() */
};

/* Marks the Pareto front: plans that fit and that no other plan of the same batch and generation
 * dominates in time, memory and chips; of equal plans the first. Then sorts: by batch and
 * generation, chips, time. O(n^2), for a few hundred plans. */
void explore_rows_mark(struct explore_row *rows, size_t count);

void explore_rows_text(const struct explore_row *rows, size_t count, struct text *out);
void explore_rows_json(const struct explore_row *rows, size_t count, struct text *out);
/* A page with a chart of time over chips. */
void explore_rows_html(const char *program, const struct explore_row *rows, size_t count,
                       struct text *out);

#endif
