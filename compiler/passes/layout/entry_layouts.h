/* entry_layouts.h: handles layouts of arguments and results of the entry. Afterwards, the types
 * of the body's arguments and returned values are stored types (type_stored()), with transposes
 * to and from the declared dimensions; func->argument_types and result_types keep the declared
 * types. Where the compiler may choose the layout of a transposed result it takes that of the
 * value before the transpose. Row-major declared layouts become none. Tiles that clients ask for
 * are kept in declared types and change nothing else, as on XLA's CPU: bytes are dense.
 *
 * For a target that models an accelerator, declared types get its layouts with tiles
 * (tiled_shape.h): those that the client asks for, where it asks for none the accelerator's
 * default, and where the compiler may choose one that suits the program. The body's types have no
 * layouts, since the target stores arrays row-major.
 *
 * Errors: INVALID_ARGUMENT for a layout that does not list each dimension once. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_ENTRY_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_LAYOUT_ENTRY_LAYOUTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *entry_layouts_run(struct module *module, const struct target *target);

#endif
