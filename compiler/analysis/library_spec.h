/* library_spec.h: describes dots and convolutions for libraries: struct dot_spec and struct
 * convolution_spec (program.h). A dot_spec has one dimension each of batches, rows, columns and
 * contracted elements, with any strides, and an additional outermost dimension. Several dimensions
 * of a kind are merged if they are nested in every array, so most transposes around a dot are only
 * strides. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_LIBRARY_SPEC_H
#define GANTRY_COMPILER_ANALYSIS_LIBRARY_SPEC_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* Whether `op` (may be NULL) is a dot_general or FUSION_DOT. */
bool library_spec_is_product(const struct op *op);

/* The type that a library reads elements of a type as: integers of fewer than 8 bits have a byte
 * each in memory, whose number as s8 is theirs. */
enum dtype library_spec_dtype(enum dtype dtype);

/* The specification of a dot_general or FUSION_DOT. False when a dot_spec cannot describe it (never
 * after passes/layout.h). */
bool library_spec_dot(const struct op *op, struct dot_spec *out);

/* The specification of a dot_general and the transpose of its result (NULL: none). */
bool library_spec_dot_transposed(const struct op *dot, const struct op *transpose,
                                 struct dot_spec *out);

/* Describes the same product with its operands swapped: rows are columns, and the reverse. */
void library_spec_swap(struct dot_spec *spec);

/* The left (0) or right (1) operand of a dot_general or FUSION_DOT. (A FUSION_DOT has one operand
 * if both are the same value.) */
const struct value *library_spec_dot_operand(const struct op *op, int which);

/* The specification of a convolution with at most CONVOLUTION_MAX_SPATIAL spatial dimensions.
 * Negative padding is replaced by a smaller input, except high padding of less than one step of the
 * window in the gradient of a strided convolution's kernel; returns the index of the operand's
 * element at which the smaller input begins. */
int64_t library_spec_convolution(const struct op *convolution, struct convolution_spec *out);

#endif
