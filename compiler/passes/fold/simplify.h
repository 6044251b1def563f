/* simplify.h: algebra that changes values, because XLA's CPU backend does it too and clients rely
 * on the results: x * mask is 0 where the mask is false, even for infinite x. The rules are listed
 * in simplify_rules.def, with what a client sees; exact algebra is in fold_rules.def.
 *
 * Runs once, before loops are unrolled: iterations are not combined. Idempotent. Errors: none of
 * its own. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_H

#include "compiler/ir/ir.h"

struct target;
struct error *simplify_run(struct module *module, const struct target *target);

#endif
