/* equal.h: whether two operations say the same: code, attributes, result types and, element by
 * element, regions. Operands are compared by identity, but inside of regions a value corresponds
 * to its counterpart. */
#ifndef GANTRY_COMPILER_IR_EQUAL_H
#define GANTRY_COMPILER_IR_EQUAL_H

#include "compiler/ir/ir.h"

/* Operations with more than `max_region_ops` operations in their regions count as different. */
bool equal_ops(struct arena *arena, const struct op *a, const struct op *b, int max_region_ops);
/* Equal operations have equal hashes. Stable between processes, but for the identity of
 * operands. */
uint64_t equal_hash(const struct op *op);

#endif
