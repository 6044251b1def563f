/* entry_layouts.h: arguments and results of the entry that lie in memory in another order than
 * row-major (argument_info.layout) get the type that they have in memory, and a transpose to or
 * from what the program means; row-major orders are dropped. Errors: INVALID_ARGUMENT for an order
 * that is no permutation of the dimensions. */
#ifndef GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *entry_layouts_run(struct module *module, const struct target *target);

#endif
