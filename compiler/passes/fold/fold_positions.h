/* fold_positions.h: indices that depend on positions alone, such as those of a resized image, are
 * constants. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_FOLD_POSITIONS_H
#define GANTRY_COMPILER_PASSES_FOLD_FOLD_POSITIONS_H

#include "compiler/ir/ir.h"

/* The elements of a value that is computed of iotas and constants, by few operations that
 * fold_eval_op() evaluates. NULL for others, for constants, if there are many elements, and for
 * sums of iotas, which need no memory: code generation recognizes them (computed_index.h). */
const struct literal *fold_positions(struct arena *arena, const struct value *value);

#endif
