/* simplify.h: algebraic rules that change values. XLA's CPU backend applies them and clients rely
 * on the results: x * mask is 0 where the mask is false, even for infinite x. simplify_rules.def
 * lists the rules and their visible effects; exact rules are in fold_rules.def.
 *
 * Runs once, before loops are unrolled, so that iterations are not combined. Idempotent. Has no
 * errors of its own. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_H

#include "compiler/ir/ir.h"

struct target;
struct error *simplify_run(struct module *module, const struct target *target);

#endif
