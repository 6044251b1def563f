/* simplify_dot.c: see simplify_dot.h. */
#include "compiler/passes/fold/simplify_dot.h"

#include "compiler/passes/fold/simplify_mask.h"
#include "compiler/passes/rewrite/rewrite.h"

/* An operand of a dot_general, and its batching, contracting and free dimensions. */
struct side {
    struct value *value;
    struct dims batch, contracting, free;
    int64_t contracted,
        free_dims; /* products of the sizes of the contracting and free dimensions */
};

static struct side side_of(struct arena *arena, const struct op *dot, int which)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    struct side side = {.value = dot->operands[which],
                        .batch = which ? at->rhs_batching_dimensions : at->lhs_batching_dimensions,
                        .contracting = which ? at->rhs_contracting_dimensions
                                             : at->lhs_contracting_dimensions};
    int64_t *free = ARENA_ARRAY(arena, int64_t, side.value->type->shape.rank + 1);
    for (int i = 0; i < side.value->type->shape.rank; i++)
        if (!dims_contain(side.batch, i) && !dims_contain(side.contracting, i))
            free[side.free.count++] = i;
    side.free.at = free;
    side.contracted = dims_elements(side.value->type, side.contracting);
    side.free_dims = dims_elements(side.value->type, side.free);
    return side;
}

/* Transposes a value that has the dimensions of `side` to the order batching, then `free_dims`,
 * and removes the dimensions `rest`, whose sizes are 1. */
static struct value *arranged(struct builder *b, struct value *value, const struct side *side,
                              struct dims free_dims, struct dims rest)
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

static int64_t summed_or_batch(const struct side *side, int64_t i)
{
    return i < side->batch.count ? side->batch.at[i] : side->contracting.at[i - side->batch.count];
}

/* Whether batching and contracting dimensions have the same order in both operands. XLA transposes
 * both operands or neither. */
static bool is_ordered_alike(const struct side *left, const struct side *right)
{
    int64_t count = left->batch.count + left->contracting.count;
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
    struct side sides[2] = {side_of(b->module->arena, op, 0), side_of(b->module->arena, op, 1)};
    bool is_followed = dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype_is_complex(dtype);
    if (!is_followed || sides[0].free_dims != 1 || sides[1].free_dims != 1 ||
        !is_ordered_alike(&sides[0], &sides[1]))
        return NULL;
    for (int i = 0; i < 2; i++) {
        const struct side *side = &sides[i], *other = &sides[1 - i];
        struct value *predicate = simplify_mask_find(b, side->value, other->value);
        if (!predicate || other->value->type->shape.dtype != dtype)
            continue;
        predicate = arranged(b, predicate, side, side->contracting, side->free);
        struct value *terms = arranged(b, other->value, other, other->contracting, other->free);
        terms = build_select(b, predicate, terms, build_splat(b, terms->type, 0));
        struct dims summed = rewrite_range(b->module, other->batch.count, other->contracting.count);
        if (summed.count)
            terms = build_reduce(b, terms, build_scalar(b, dtype, 0), OP_add, (int)summed.count,
                                 summed.at);
        return build_reshape(b, terms, shape->rank, shape->dims);
    }
    return NULL;
}

/* Converts an operand to `dtype` and broadcasts it to the shape of the product, in which its free
 * dimensions start at `first`. */
static struct value *broadcast_side(struct builder *b, const struct side *side,
                                    const struct type *type, enum dtype dtype, int64_t first)
{
    struct value *value = arranged(b, side->value, side, side->free, side->contracting);
    int64_t count = side->batch.count + side->free.count;
    int64_t *to = ARENA_ARRAY(b->module->arena, int64_t, count + 1);
    for (int64_t i = 0; i < count; i++)
        to[i] = i < side->batch.count ? i : first + i - side->batch.count;
    return build_broadcast(b, build_convert(b, value, dtype), type, (int)count, to);
}

/* The type in which a product is computed: f32 for 8- and 16-bit floats. */
static enum dtype computed_in(enum dtype dtype)
{
    return dtype_is_float(dtype) && dtype_info(dtype)->bits < 32 ? DTYPE_F32 : dtype;
}

struct value *simplify_dot_outer(struct builder *b, struct op *op)
{
    const struct type *type = op->results[0].type;
    enum dtype dtype = type->shape.dtype, wide = computed_in(dtype);
    struct side left = side_of(b->module->arena, op, 0), right = side_of(b->module->arena, op, 1);
    if ((!dtype_is_float(dtype) && !dtype_is_complex(dtype)) || left.contracted != 1)
        return NULL;
    int64_t first = left.batch.count, second = first + left.free.count;
    struct value *factor = broadcast_side(b, &left, type, wide, first);
    struct value *product =
        build_binary(b, OP_multiply, factor, broadcast_side(b, &right, type, wide, second));
    return build_convert(b, product, dtype);
}
