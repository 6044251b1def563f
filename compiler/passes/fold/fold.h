/* fold.h: constant folding (fold_eval.h) and algebraic simplification (fold_rules.def). Small
 * constants that a region captures are copied into it, so that they fold there. Has no errors of
 * its own. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_FOLD_H
#define GANTRY_COMPILER_PASSES_FOLD_FOLD_H

#include "compiler/ir/ir.h"

/* Replaces one operation by a constant if its operands are constants and it can be evaluated.
 * Needs: infer_op() accepts the operation. */
struct error *fold_constant(struct module *module, struct op *op);

struct target;
struct error *fold_run(struct module *module, const struct target *target);

#endif
