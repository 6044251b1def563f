/* equal.h: structural equality of operations: code, attributes, result types and regions. Operands
 * are compared by identity, except that a value defined in a region corresponds to its counterpart
 * in the other region. */
#ifndef GANTRY_COMPILER_IR_EQUAL_H
#define GANTRY_COMPILER_IR_EQUAL_H

#include "base/map.h"
#include "compiler/ir/ir.h"

/* Operations with more than `max_region_ops` operations in their regions compare as different. */
bool equal_ops(struct arena *arena, const struct op *a, const struct op *b, int max_region_ops);
/* The same for two blocks: values of `a` correspond to the values of `b` in `counterparts`, to
 * which the results of equal operations are added. */
bool equal_counterparts(struct map *counterparts, const struct op *a, const struct op *b,
                        int max_region_ops);
/* Whether two operations of the same code have equal attributes. */
bool equal_attrs(const struct op *a, const struct op *b);
/* Equal operations have equal hashes. The hash includes the addresses of operands, so it is not
 * stable between processes. */
uint64_t equal_hash(const struct op *op);

#endif
