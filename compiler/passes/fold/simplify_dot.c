/* simplify_dot.c: see simplify_dot.h. */
#include "compiler/passes/fold/simplify_dot.h"

#include "compiler/analysis/product_side.h"
#include "compiler/analysis/reducer.h"
#include "compiler/passes/fold/simplify_mask.h"
#include "compiler/passes/rewrite/rewrite.h"

/* Transposes a value that has the dimensions of `side` to the order batching, then `free_dims`,
 * and removes the dimensions `rest`, whose sizes are 1. */
static struct value *arranged(struct builder *b, struct value *value,
                              const struct product_side *side, struct dims free_dims,
                              struct dims rest)
{
    const struct shape *shape = &value->type->shape;
    struct dims lists[] = {side->batch, free_dims, rest};
    int64_t *permutation = ARENA_ARRAY(b->module->arena, int64_t, shape->rank + 1);
    int64_t *dims = ARENA_ARRAY(b->module->arena, int64_t, shape->rank + 1);
    int count = 0;
    bool is_moved = false;
    for (size_t list = 0; list < sizeof lists / sizeof *lists; list++)
        for (int64_t i = 0; i < lists[list].count; i++, count++) {
            permutation[count] = lists[list].at[i];
            dims[count] = shape->dims[permutation[count]];
            is_moved |= permutation[count] != count;
        }
    value = is_moved ? build_transpose(b, value, permutation) : value;
    return rest.count ? build_reshape(b, value, count - (int)rest.count, dims) : value;
}

static int64_t summed_or_batch(const struct product_side *side, int64_t i)
{
    return i < side->batch.count ? side->batch.at[i] : side->contracted.at[i - side->batch.count];
}

/* Whether batching and contracting dimensions have the same order in both operands. XLA transposes
 * both operands or neither. */
static bool is_ordered_alike(const struct product_side *left, const struct product_side *right)
{
    int64_t count = left->batch.count + left->contracted.count;
    for (int64_t i = 0; i < count; i++)
        for (int64_t k = 0; k < i; k++)
            if ((summed_or_batch(left, i) < summed_or_batch(left, k)) !=
                (summed_or_batch(right, i) < summed_or_batch(right, k)))
                return false;
    return true;
}

struct value *simplify_dot_masked(struct builder *b, struct op *op)
{
    enum dtype dtype = op->results[0].type->shape.dtype;
    const struct shape *shape = &op->results[0].type->shape;
    const struct product_side sides[2] = {product_side_of(op, 0), product_side_of(op, 1)};
    bool is_followed = dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype_is_complex(dtype);
    if (!is_followed || sides[0].free != 1 || sides[1].free != 1 ||
        !is_ordered_alike(&sides[0], &sides[1]))
        return NULL;
    for (int i = 0; i < 2; i++) {
        const struct product_side *side = &sides[i], *other = &sides[1 - i];
        struct value *predicate = simplify_mask_find(b, side->value, other->value);
        if (!predicate || other->value->type->shape.dtype != dtype)
            continue;
        struct arena *arena = b->module->arena;
        predicate =
            arranged(b, predicate, side, side->contracted, product_side_free_dims(arena, side));
        struct value *terms = arranged(b, other->value, other, other->contracted,
                                       product_side_free_dims(arena, other));
        terms = build_select(b, predicate, terms, build_splat(b, terms->type, 0));
        struct dims summed = rewrite_range(b->module, other->batch.count, other->contracted.count);
        if (summed.count)
            terms = build_reduce(b, terms, build_scalar(b, dtype, 0), OP_add, (int)summed.count,
                                 summed.at);
        return build_reshape(b, terms, shape->rank, shape->dims);
    }
    return NULL;
}

/* Converts an operand to `dtype` and broadcasts it to the shape of the product. */
static struct value *broadcast_side(struct builder *b, const struct op *dot, int which,
                                    enum dtype dtype)
{
    const struct product_side side = product_side_of(dot, which);
    const struct dims free = product_side_free_dims(b->module->arena, &side);
    struct value *value = arranged(b, side.value, &side, free, side.contracted);
    int64_t to[SHAPE_MAX_RANK], count = 0;
    while (count < side.batch.count)
        to[count] = count, count++;
    for (int64_t i = 0; i < free.count; i++)
        to[count++] = product_side_result_dim(dot, which, free.at[i]);
    return build_broadcast(b, build_convert(b, value, dtype), dot->results[0].type, (int)count, to);
}

struct value *simplify_dot_outer(struct builder *b, struct op *op)
{
    enum dtype dtype = op->results[0].type->shape.dtype, wide = reducer_dtype_of_sums(dtype);
    const struct product_side left = product_side_of(op, 0);
    if ((!dtype_is_float(dtype) && !dtype_is_complex(dtype)) ||
        dims_elements(left.value->type, left.contracted) != 1)
        return NULL;
    struct value *factor = broadcast_side(b, op, 0, wide);
    struct value *product = build_binary(b, OP_multiply, factor, broadcast_side(b, op, 1, wide));
    return build_convert(b, product, dtype);
}
