/* build.h: constructors of operations for passes and tests. Each inserts the operation at the
 * builder's position and infers its result type.
 *
 * Constructors never return NULL. If infer.h rejects the operands, the operation is still created
 * and its results are *poison*: values of a special type that code may read, and everything built
 * from them is poison too. A pass therefore needs no checks between constructors: rewrite_*() and
 * the verifier report the error of the first rejected operation; code that uses neither calls
 * build_check(). Operands must not be NULL. */
#ifndef GANTRY_COMPILER_IR_BUILD_H
#define GANTRY_COMPILER_IR_BUILD_H

#include "compiler/ir/ir.h"

struct builder {
    struct module *module;
    struct block *block;
    struct op *before; /* NULL: append to block */
    const struct location *location;
};

struct value *build_unary(struct builder *b, enum op_code code, struct value *operand);
struct value *build_binary(struct builder *b, enum op_code code, struct value *lhs,
                           struct value *rhs);
struct value *build_compare(struct builder *b, enum comparison direction, struct value *lhs,
                            struct value *rhs);
struct value *build_select(struct builder *b, struct value *pred, struct value *on_true,
                           struct value *on_false);
struct value *build_constant(struct builder *b, const struct literal *literal);
struct value *build_scalar(struct builder *b, enum dtype dtype, double value);
struct value *build_splat(struct builder *b, const struct type *type, double value);
/* A constant that is stored as one element, with the dimensions of `shape` instead of its own. */
struct value *build_splat_like(struct builder *b, const struct value *splat,
                               const struct shape *shape);
/* The operand itself if it has that type. */
struct value *build_convert(struct builder *b, struct value *operand, enum dtype dtype);
struct value *build_broadcast(struct builder *b, struct value *operand, const struct type *type,
                              int count, const int64_t *broadcast_dimensions);
/* A copy into memory of that kind. */
struct value *build_copy(struct builder *b, struct value *operand, enum memory_kind memory);
struct value *build_reshape(struct builder *b, struct value *operand, int rank,
                            const int64_t *dims);
struct value *build_transpose(struct builder *b, struct value *operand, const int64_t *permutation);
struct value *build_slice(struct builder *b, struct value *operand, const int64_t *start,
                          const int64_t *limit, const int64_t *strides);
/* `sizes` elements from `starts` on, a scalar for each dimension. */
struct value *build_dynamic_slice(struct builder *b, struct value *operand,
                                  struct value *const *starts, const int64_t *sizes);
/* The operand with the elements of `update` from `starts` on. */
struct value *build_update(struct builder *b, struct value *operand, struct value *update,
                           struct value *const *starts);
/* With `fill` (a scalar; NULL: zero) in front of, behind and between elements. */
struct value *build_pad(struct builder *b, struct value *operand, struct value *fill,
                        const int64_t *low, const int64_t *high, const int64_t *interior);
struct value *build_concatenate(struct builder *b, int count, struct value *const *operands,
                                int64_t dim);
/* The index along a dimension of each element, as a value of the type. */
struct value *build_iota(struct builder *b, const struct type *type, int64_t dim);
/* Reduces with a binary operation (add, maximum ...) as body. */
struct value *build_reduce(struct builder *b, struct value *operand, struct value *init,
                           enum op_code code, int count, const int64_t *dimensions);
struct op *build_return(struct builder *b, int count, struct value *const *values);
/* An operation with one result of the given type (NULL: inferred) and `attrs` (NULL: none). */
struct value *build_declared(struct builder *b, enum op_code code, int operand_count,
                             struct value *const *operands, const struct type *type,
                             const union attrs *attrs);
/* Any other operation. */
struct op *build_op(struct builder *b, enum op_code code, int operand_count,
                    struct value *const *operands, int result_count, const union attrs *attrs);

bool build_is_poison(const struct value *value);
/* NULL when the value is not poison, else the error of the operation that infer.h rejected
 * (INVALID_ARGUMENT with its name and location). */
struct error *build_check(struct module *module, const struct value *value);

#endif
