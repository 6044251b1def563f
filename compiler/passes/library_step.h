/* library_step.h: which products and convolutions are library steps. The libraries of the target
 * are asked at compile time, on the machine that runs the program, with the specification of the
 * operation: support differs between processors (oneDNN multiplies bf16 only with AVX-512, f16 only
 * with AVX512-FP16) and between layouts. What they refuse is generated code, or, for bf16 and f16,
 * the same operation on operands converted to f32, whose result is rounded once. So a library step
 * never fails for lack of support when it runs. */
#ifndef GANTRY_COMPILER_PASSES_LIBRARY_STEP_H
#define GANTRY_COMPILER_PASSES_LIBRARY_STEP_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Whether a dot_general or convolution is a library step as it is; otherwise it is generated. */
bool library_step_supported(const struct op *op, const struct target *target);

/* Whether a dot_general becomes a library step once its operands have the layouts of layout.h. */
bool library_step_may_be(const struct op *dot, const struct target *target);

/* Converts a product or convolution of 16-bit floats to f32 where the libraries refuse the one and
 * support the other. A transpose that is the only user of the result is moved before the conversion
 * back. Returns the product or convolution that is in the place of `op` now, or `op` itself. */
struct op *library_step_widen(struct module *module, const struct target *target, struct op *op);

#endif
