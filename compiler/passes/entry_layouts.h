/* entry_layouts.h: arguments and results of the entry whose declared layout is not row-major. The
 * body gets arguments and returns results as they are stored (type_stored()), with a transpose to
 * or from the declared dimensions; func->argument_types and result_types stay as declared. Errors:
 * INVALID_ARGUMENT for a layout that does not list each dimension once. */
#ifndef GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *entry_layouts_run(struct module *module, const struct target *target);

#endif
