/* stack_op.h: an operation for many values of its operands at once. A *stack* of n values of a type
 * is an array with one more dimension, the first, of size n. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_STACK_OP_H
#define GANTRY_COMPILER_PASSES_REWRITE_STACK_OP_H

#include "compiler/ir/build.h"

/* The type of a stack of `count` values of a type with less than SHAPE_MAX_RANK dimensions. */
const struct type *stack_op_type(struct arena *arena, const struct type *type, int64_t count);

/* The value with the sizes of `type`: the value itself, or the operand of its reshape, if that has
 * them. */
struct value *stack_op_reshape(struct builder *b, struct value *value, const struct type *type);

/* Whether stack_op_build() knows the operation, where `is_stacked` says of which operands there are
 * stacks (at least one); the others are the same for all. True for elementwise operations on
 * operands of the result's sizes, reshape, transpose, slice, broadcast_in_dim, concatenate, and
 * dot_general without batching dimensions with one stacked operand. */
bool stack_op_is_known(const struct op *op, const bool *is_stacked);

/* Builds the stack of `count` results; operands[i] is a stack of as many values if is_stacked[i].
 * A product becomes one with more rows, so what it costs is in proportion to `count`. */
struct value *stack_op_build(struct builder *b, const struct op *op, struct value *const *operands,
                             const bool *is_stacked, int64_t count);

#endif
