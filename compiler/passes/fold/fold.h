/* fold.h: operations on constants become constants (fold_eval.h), algebra is applied
 * (fold_rules.def), and small constants that a control-flow region captures are copied into it,
 * where they fold on. Errors: none of its own. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_FOLD_H
#define GANTRY_COMPILER_PASSES_FOLD_FOLD_H

#include "compiler/ir/ir.h"

struct target;
struct error *fold_run(struct module *module, const struct target *target);

#endif
