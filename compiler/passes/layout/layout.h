/* layout.h: layout assignment of library steps: gives their operands layouts that a specification
 * can describe (analysis/library_spec.h). Most transposes around matrix products disappear: a
 * transposed operand is read in its original layout, and a transposed result is written directly (a
 * FUSION_DOT: dot_general, then transpose), also where constants scale what is transposed. Where a
 * specification cannot describe the layout, a transpose is inserted, which fusion may fuse with the
 * producer of the operand; as well where generated code of a product with few columns adds terms
 * that are then adjacent in both operands. Products and convolutions of types that the libraries do
 * not support on this processor are widened first (library_step.h); convolutions that no library
 * computes get operands with adjacent lanes (convolution_layout.h). Requires canonical operations.
 */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_LAYOUT_H
#define GANTRY_COMPILER_PASSES_LAYOUT_LAYOUT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *layout_run(struct module *module, const struct target *target);

#endif
