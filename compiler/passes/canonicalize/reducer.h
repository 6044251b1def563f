/* reducer.h: what a reduction computes. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_REDUCER_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_REDUCER_H

#include "compiler/ir/ir.h"

/* OP_add, OP_maximum or OP_minimum, if the operation is a reduction of one array by it;
 * OP_CODE_COUNT for others. */
enum op_code reducer_of(const struct op *op);
/* The same for a reduce or a reduce_window. */
enum op_code reducer_of_body(const struct op *op);

#endif
