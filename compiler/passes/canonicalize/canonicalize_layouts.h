/* canonicalize_layouts.h: transposes the operands of custom calls that request layouts other than
 * row-major, and transposes their results back. The attribute `laid_out` of such a call is set: its
 * types have the dimensions in physical order, major to minor. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_LAYOUTS_H

#include "compiler/ir/ir.h"

/* INVALID_ARGUMENT for a layout that is not a permutation. */
struct error *canonicalize_layouts_call(struct module *module, struct op *op);

#endif
