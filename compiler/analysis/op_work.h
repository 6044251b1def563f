/* op_work.h: how much an operation computes and moves: elements, multiply-adds, bytes. Facts of its
 * types and attributes, without weights; cost.h and cost_analysis.h build on them. Pure
 * functions. */
#ifndef GANTRY_COMPILER_ANALYSIS_OP_WORK_H
#define GANTRY_COMPILER_ANALYSIS_OP_WORK_H

#include "compiler/ir/ir.h"

/* Of a value; 0 for values that are not tensors, and for dynamic dimensions. */
double op_work_elements(const struct value *value);
double op_work_bytes(const struct value *value);

/* Multiply-adds of a dot_general or convolution; those with padding or with the gaps of a dilation
 * do not count. */
double op_work_multiply_adds(const struct op *op);

/* Elements that a reduce_window reads: those of every window, or fewer where most of a window is
 * padding. */
double op_work_window(const struct op *reduce_window);

/* Bytes that a fusion reads and writes: of an operand that is only sliced, the slices; of an
 * operand that is updated in place, nothing. */
double op_work_fusion_bytes(const struct op *fusion);

#endif
