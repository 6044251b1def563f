/* concatenation.h: concatenations that a kernel stores an operand at a time: each in a loop nest of
 * its own, which computes every element of it once, or as runs of bytes that one loop copies. */
#ifndef GANTRY_COMPILER_SCHEDULE_CONCATENATION_H
#define GANTRY_COMPILER_SCHEDULE_CONCATENATION_H

#include "compiler/ir/ir.h"

enum {
    CONCATENATION_NESTS = 32,            /* most nests of a result */
    CONCATENATION_MOST_BYTES = 16 << 20, /* larger results may be stored past the caches */
    CONCATENATION_OPERANDS = 1024 /* most of one that is copied, or that takes others apart */
};

/* Whether the parts of a row that come from each operand of a concatenation are long enough for
 * vectors. */
bool concatenation_has_long_runs(const struct op *concatenate);
/* Whether the code that selects among the operands does so for runs of elements: there are two, or
 * the runs are long. Otherwise it asks for each element which operand it is of. */
bool concatenation_selects_runs(const struct op *concatenate);
/* Whether a kernel with this concatenation as its result stores an operand at a time, if these have
 * no reductions and, concatenations among them taken apart, are at most CONCATENATION_NESTS. */
bool concatenation_is_divided(const struct op *concatenate);

/* Whether an operation only gives another type to a run of adjacent elements of its operand: a
 * reshape, or a slice of all that is between two indices of the outermost dimension that is not 1.
 * `bytes`: where the run begins in the operand. */
bool concatenation_is_view(const struct op *op, int64_t *bytes);
/* The value that contains the operand, through views, as a run of elements that begins after
 * `bytes`. */
const struct value *concatenation_viewed(const struct value *operand, int64_t *bytes);
/* Whether a kernel with this concatenation as its result copies runs of its operands, which are in
 * memory, in a loop over a table of them: they are many, or so long that nests of their own would
 * not be faster. The operands are arguments of the block, or views of them. */
bool concatenation_is_copied(const struct op *concatenate);

#endif
