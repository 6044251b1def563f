/* fold_eval.h: evaluates operations on constants as the generated code does: integers wrap, f32 is
 * computed in f32, narrower floats in f32 and rounded once. Operations whose results generated code
 * may round differently (exponential ...) are not evaluated. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_FOLD_EVAL_H
#define GANTRY_COMPILER_PASSES_FOLD_FOLD_EVAL_H

#include "compiler/ir/ir.h"

#define FOLD_EVAL_MAX_ELEMENTS (64 * 1024) /* larger results are not computed, unless splat */

#define FOLD_EVAL_MAX_OPERANDS 3 /* of an elementwise operation */

/* Evaluates op on literals; NULL when it cannot be evaluated. Splat operands give a splat. */
const struct literal *fold_eval_op(struct arena *arena, const struct op *op,
                                   const struct literal *const *operands);

/* Evaluates one element of an elementwise operation but select; false when it cannot be evaluated.
 */
bool fold_eval_element(const struct op *op, enum dtype dtype, const void *const *operands,
                       enum dtype out_dtype, void *out);

#endif
