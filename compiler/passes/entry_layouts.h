/* entry_layouts.h: handles arguments and results of the entry whose declared layout is not
 * row-major. Afterwards, the types of the body's arguments and returned values are stored types
 * (type_stored()), with transposes to and from the declared dimensions; func->argument_types and
 * result_types keep the declared types. Where the compiler may choose the layout of a transposed
 * result it takes that of the value before the transpose. Errors: INVALID_ARGUMENT for a layout
 * that does not list each dimension once. */
#ifndef GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_ENTRY_LAYOUTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *entry_layouts_run(struct module *module, const struct target *target);

#endif
