/* concat_operands.h: a concatenation as a list of its operands, each of which a nest of its own
 * stores into its place in the result. No lane asks then which operand its element is of, and the
 * loops over each operand collapse as if it were the result. Operands that are parts of the same
 * rows share the loop over the rows, so that these are stored in the order of memory. */
#ifndef GANTRY_COMPILER_SCHEDULE_CONCAT_OPERANDS_H
#define GANTRY_COMPILER_SCHEDULE_CONCAT_OPERANDS_H

#include "compiler/schedule/concatenation.h"
#include "compiler/schedule/nest_schedule.h"

struct concat_operand {
    const struct value *value;
    const int64_t *origin; /* the index of its first element in the result */
};

/* Lists the operands of the concatenation `root`, and those of concatenations among them in their
 * place, in `pieces`, an array of CONCATENATION_NESTS. Returns their number; 0: the root is better
 * stored element by element, because it is none or small, has many operands or a reduction in them,
 * or its rows consist of short parts, which are interleaved. */
int concat_operands_of(struct arena *arena, const struct value *root,
                       struct concat_operand *pieces);
/* How many of the first of these planned nests, at least 1, are parts of the same rows of one
 * result and have these rows as their work items. */
int concat_operands_in_one_loop(const struct nest *nests, int count);

#endif
