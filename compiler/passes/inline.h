/* inline.h: inlines all calls and composites, and removes futures, optimization barriers, and
 * tuples that are only unpacked. A composite is replaced by its decomposition, except chlo.erf of a
 * float, which becomes `erf`. Afterwards the module contains only the entry and the functions that
 * custom_calls reference. Errors: INVALID_ARGUMENT for recursion, RESOURCE_EXHAUSTED if the program
 * would exceed module->operation_limit. */
#ifndef GANTRY_COMPILER_PASSES_INLINE_H
#define GANTRY_COMPILER_PASSES_INLINE_H

#include "compiler/ir/ir.h"

struct target;
struct error *inline_run(struct module *module, const struct target *target);

#endif
