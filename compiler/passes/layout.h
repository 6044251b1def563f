/* layout.h: brings the operands of library steps into layouts that the libraries' specifications
 * can say, and writes those specifications. A specification has one dimension each of batches,
 * rows, columns and contracted elements, with any strides, and one loop around. Several
 * dimensions of a kind count as one when they are nested in every array that has
 * them. So most transposes around products vanish: one before a product is read through, one
 * after it becomes part of it (a FUSION_DOT: dot_general, then transpose). Where the dimensions
 * cannot be said, a transpose comes in front (which fusion may join with what computes the
 * operand). Products and convolutions of types that the libraries refuse on this processor are
 * widened first (library_step.h). Needs: canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_H
#define GANTRY_COMPILER_PASSES_LAYOUT_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

struct error *layout_run(struct module *module, const struct target *target);

/* Of a dot_general or FUSION_DOT. False when the dimensions cannot be said (never after
 * layout_run). */
bool layout_dot_spec(const struct op *op, struct dot_spec *out);
/* The left (0) or right (1) operand of the product; a FUSION_DOT has one operand when both are the
 * same. */
const struct value *layout_dot_operand(const struct op *op, int which);
/* Negative padding becomes a smaller input; returns the element of it that comes first. */
int64_t layout_convolution_spec(const struct op *convolution, struct convolution_spec *out);

#endif
