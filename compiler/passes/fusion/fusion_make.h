/* fusion_make.h: the parts of fusion_make() that the policy of fusion.c needs; the door is
 * fusion.h. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_MAKE_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_MAKE_H

#include "compiler/ir/ir.h"

/* Whether a value is made inside a fusion that uses it (a splat or one-element constant), not
 * handed in. */
bool fusion_make_takes_inside(const struct value *value);

#endif
