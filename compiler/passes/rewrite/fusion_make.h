/* fusion_make.h: builds `fusion` operations. Passes decide which operations to fuse
 * (fusion/fusion.h, layout.h). */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_FUSION_MAKE_H
#define GANTRY_COMPILER_PASSES_REWRITE_FUSION_MAKE_H

#include "compiler/ir/ir.h"

/* Inserts a fusion before `position` whose region contains clones of `members` (given in the order
 * of their block) and returns `results`, which are results of members. The caller replaces the uses
 * of the originals and removes them. */
struct op *fusion_make(struct module *module, enum fusion_kind kind, struct op *position,
                       int member_count, struct op *const *members, int result_count,
                       struct value *const *results);

/* Whether a value (a constant that is a splat or has one element) is created inside each fusion
 * that uses it instead of being an operand. */
bool fusion_make_is_internal(const struct value *value);

#endif
