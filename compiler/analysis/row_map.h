/* row_map.h: recognizes fusions that compute each row of their result from the same row of some
 * operands, by reductions of whole rows and elementwise operations: a softmax, its gradient. They
 * may be a FUSION_ROWS (codegen/codegen.h). */
#ifndef GANTRY_COMPILER_ANALYSIS_ROW_MAP_H
#define GANTRY_COMPILER_ANALYSIS_ROW_MAP_H

#include "compiler/ir/ir.h"

/* Whether each row of the fusion's first result, all elements along its last dimension, depends on
 * no other row of the operands of the set (bit i: operand i, of the first 64), and on a reduction
 * of them. These have the size of the result. The other operands may be read anywhere. */
bool row_map_is(const struct op *fusion, uint64_t operands);

/* The operand of a reduction by `code` (of OP_add: from zero), whose value may be spread over rows
 * again; NULL: the value is something else. */
const struct value *row_map_reduced(const struct value *value, enum op_code code);

#endif
