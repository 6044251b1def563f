/* walk.h: walks over expressions. Each is limited to a number of steps, after which it returns the
 * conservative answer. Values with several users are recorded, so that the steps grow with the
 * operations of an expression, not with the paths through it. */
#ifndef GANTRY_COMPILER_SCHEDULE_WALK_H
#define GANTRY_COMPILER_SCHEDULE_WALK_H

#include "compiler/ir/ir.h"

enum { WALK_STEPS = 2000, WALK_VISITS = 256 };

/* An operation that a walk has been to, for some dimensions. */
struct visit {
    const struct op *op;
    uint64_t dims, rows;
    int depth; /* in analysis_loop_depth() */
};

/* any_loop: every loop counts, not only those that use scalars; any_row: rows of any length do;
 * beside: only reductions of rows side by side (row_reductions.h) count;
 * columns_from, unless 0: only reductions over rows count, of so many bytes or more;
 * apart: what may read elements in any order counts as a transpose.
 * visits: a cache, by hash; what it no longer contains is visited again. */
struct walk {
    int steps; /* that are left */
    bool any_loop, any_row, beside, apart;
    int64_t columns_from;
    struct visit visits[WALK_VISITS];
};

struct walk walk_start(void);
/* The entry of the cache for an operation and dimensions, which may contain another. */
struct visit *walk_visit(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows);
/* Whether the walk has been to an operation; records it if there may be another way to it. */
bool walk_is_repeated(struct walk *walk, const struct op *op, uint64_t dims, uint64_t rows);

#endif
