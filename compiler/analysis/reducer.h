/* reducer.h: what a reduction computes. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_REDUCER_H
#define GANTRY_COMPILER_ANALYSIS_REDUCER_H

#include "compiler/ir/ir.h"

/* The operation of a reduce, reduce_window or scatter of one array whose body is one operation on
 * its two arguments; OP_INVALID_CODE for others. */
enum op_code reducer_of(const struct op *op);
/* The same, if it is an addition, a maximum or a minimum. */
enum op_code reducer_of_sum_or_extremum(const struct op *op);
/* The type in which numbers of a type are added: f32 for floats of fewer bits. */
enum dtype reducer_dtype_of_sums(enum dtype dtype);

#endif
