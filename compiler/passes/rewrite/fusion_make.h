/* fusion_make.h: puts operations into a `fusion`. Pure graph surgery; which operations share one is
 * for passes to say (fusion/fusion.h, layout.h). */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_FUSION_MAKE_H
#define GANTRY_COMPILER_PASSES_REWRITE_FUSION_MAKE_H

#include "compiler/ir/ir.h"

/* A fusion before `position`, made of clones of `members` (in the order of their block), which
 * returns `result_count` of their results. Nothing is removed or replaced. */
struct op *fusion_make(struct module *module, enum fusion_kind kind, struct op *position,
                       int member_count, struct op *const *members, int result_count,
                       struct value *const *results);

/* Whether a value is made inside of every fusion that uses it (a splat or one-element constant)
 * instead of being an operand. */
bool fusion_make_takes_inside(const struct value *value);

#endif
