/* fold_eval.h: what an operation gives when all its operands are constants, computed as the
 * generated code would: integers wrap, f32 is computed in f32, narrower floats in f32 and
 * rounded once. Operations whose result the machine may round differently (exponential ...) are
 * not evaluated. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_FOLD_EVAL_H
#define GANTRY_COMPILER_PASSES_FOLD_FOLD_EVAL_H

#include "compiler/ir/ir.h"

#define FOLD_EVAL_MAX_ELEMENTS (64 * 1024) /* results larger than this are not made, unless splat */

/* Operands: one literal each. NULL when op is not one that is evaluated. Splats give splats. */
const struct literal *fold_eval_op(struct arena *arena, const struct op *op,
                                   const struct literal *const *operands);

/* Elementwise only: one element. False when it is not evaluated. */
bool fold_eval_element(const struct op *op, enum dtype dtype, const void *const *operands,
                       enum dtype out_dtype, void *out);

#endif
