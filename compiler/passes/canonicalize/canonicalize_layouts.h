/* canonicalize_layouts.h: custom calls that request layouts other than row-major get transposed
 * copies, and their results are transposed back. Attribute `laid_out` is set on such a call: its
 * types list the dimensions from major to minor. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H

#include "compiler/ir/ir.h"

/* INVALID_ARGUMENT for a layout that is not a permutation. */
struct error *canonicalize_layouts_call(struct module *module, struct op *op);

#endif
