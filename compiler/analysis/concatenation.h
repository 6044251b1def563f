/* concatenation.h: concatenations that a kernel stores an operand at a time: each in a loop nest of
 * its own, which computes every element of it once. */
#ifndef GANTRY_COMPILER_ANALYSIS_CONCATENATION_H
#define GANTRY_COMPILER_ANALYSIS_CONCATENATION_H

#include "compiler/ir/ir.h"

enum {
    CONCATENATION_PIECES = 32,           /* most nests of a result */
    CONCATENATION_MOST_BYTES = 16 << 20, /* larger results may be stored past the caches */
    CONCATENATION_OPERANDS = 128         /* of one operation; more become a tree */
};

/* Whether the parts of a row that come from each operand of a concatenation are long enough for
 * vectors. */
bool concatenation_has_long_runs(const struct op *concatenate);
/* Whether the code that selects among the operands does so for runs of elements: there are two, or
 * the runs are long. Otherwise it asks for each element which operand it is of. */
bool concatenation_selects_runs(const struct op *concatenate);
/* Whether a kernel with this concatenation as its result stores an operand at a time, if these have
 * no reductions and, concatenations among them taken apart, are at most CONCATENATION_PIECES. */
bool concatenation_is_divided(const struct op *concatenate);

#endif
