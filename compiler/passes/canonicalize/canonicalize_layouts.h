/* canonicalize_layouts.h: custom calls that ask for other layouts than row-major get transposed
 * copies, and results are transposed back. Afterwards attribute `laid_out` says that sizes go from
 * major to minor in memory. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H

#include "compiler/ir/ir.h"

/* INVALID_ARGUMENT for a layout that is no permutation. */
struct error *canonicalize_layouts_call(struct module *module, struct op *op);

#endif
