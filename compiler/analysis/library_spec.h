/* library_spec.h: products and convolutions in the libraries' terms: struct dot_spec and struct
 * convolution_spec (program.h). A dot_spec has one dimension each of batches, rows, columns and
 * contracted elements, with any strides, and one outermost dimension more. Several dimensions of a
 * kind count as one when they are nested in every array that has them, so most transposes around a
 * product are only strides. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_LIBRARY_SPEC_H
#define GANTRY_COMPILER_ANALYSIS_LIBRARY_SPEC_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* Of a dot_general or FUSION_DOT. False when a dot_spec cannot describe it (never after
 * passes/layout.h). */
bool library_spec_dot(const struct op *op, struct dot_spec *out);

/* Of the product that a dot_general and the transpose of its result are together; a NULL transpose
 * is none. */
bool library_spec_dot_transposed(const struct op *dot, const struct op *transpose,
                                 struct dot_spec *out);

/* The left (0) or right (1) operand of a dot_general or FUSION_DOT, which has one operand when both
 * are the same. */
const struct value *library_spec_dot_operand(const struct op *op, int which);

/* Of a convolution with at most CONVOLUTION_MAX_SPATIAL spatial dimensions. Negative padding
 * becomes a smaller input; returns the index of the operand's element with which that begins. */
int64_t library_spec_convolution(const struct op *convolution, struct convolution_spec *out);

#endif
