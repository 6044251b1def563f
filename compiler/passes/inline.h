/* inline.h: every call and composite becomes what it calls, in the entry; tuples that are taken
 * apart again and optimization barriers go. Composites run their decomposition, but chlo.erf of
 * a float becomes `erf`. Afterwards the module holds the entry, and functions that a custom_call
 * names. Errors: INVALID_ARGUMENT for recursion, RESOURCE_EXHAUSTED when the program grows
 * beyond module->operation_limit. */
#ifndef GANTRY_COMPILER_PASSES_INLINE_H
#define GANTRY_COMPILER_PASSES_INLINE_H

#include "compiler/ir/ir.h"

struct target;
struct error *inline_run(struct module *module, const struct target *target);

#endif
