/* layout.h: brings the operands of library steps into layouts that the libraries' specifications can say, and
 * writes those specifications. Any matrix product whose batch, row, column and contracted dimensions each lie
 * in memory as one strided dimension is said as it is; another gets a transpose in front (which fusion may
 * join with what computes the operand).
 * Needs: canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_H
#define GANTRY_COMPILER_PASSES_LAYOUT_H

#include "compiler/ir/ir.h"
#include "compiler/program.h"
#include "compiler/target.h"

struct error *layout_run(struct module *module, const struct target *target);

/* Whether a dot_general or convolution is a library step on this target; otherwise it is generated. */
bool layout_library_serves(const struct op *op, const struct target *target);

/* False when the dimensions do not collapse (never after layout_run). */
bool layout_dot_spec(const struct op *dot, struct dot_spec *out);
void layout_convolution_spec(const struct op *convolution, struct convolution_spec *out);

#endif
