/* product_side.c: see product_side.h. */
#include "compiler/analysis/product_side.h"

bool product_side_is_free(const struct product_side *side, int64_t dim)
{
    return !dims_contain(side->batch, dim) && !dims_contain(side->contracted, dim);
}

struct product_side product_side_of(const struct op *dot, int which)
{
    const struct attrs_dot *at = &dot->attrs.dot;
    struct product_side side = {
        .value = dot->operands[which],
        .batch = which ? at->rhs_batching_dimensions : at->lhs_batching_dimensions,
        .contracted = which ? at->rhs_contracting_dimensions : at->lhs_contracting_dimensions,
        .free = 1};
    for (int i = 0; i < side.value->type->shape.rank; i++)
        if (product_side_is_free(&side, i))
            side.free *= side.value->type->shape.dims[i];
    return side;
}

struct dims product_side_free_dims(struct arena *arena, const struct product_side *side)
{
    int64_t *at = ARENA_ARRAY(arena, int64_t, side->value->type->shape.rank + 1), count = 0;
    for (int i = 0; i < side->value->type->shape.rank; i++)
        if (product_side_is_free(side, i))
            at[count++] = i;
    return (struct dims){count, at};
}

/* Batching dimensions come first, then the free ones of the left operand, then of the right one. */
int product_side_result_dim(const struct op *dot, int which, int64_t dim)
{
    const struct product_side side = product_side_of(dot, which);
    int before = 0, from = 0; /* free dimensions in front of `dim`, and from there on */
    for (int64_t i = 0; i < side.batch.count; i++)
        if (side.batch.at[i] == dim)
            return (int)i;
    for (int i = 0; i < side.value->type->shape.rank; i++)
        if (product_side_is_free(&side, i))
            *(i < dim ? &before : &from) += 1;
    if (!product_side_is_free(&side, dim))
        return -1;
    return which ? dot->results[0].type->shape.rank - from : (int)side.batch.count + before;
}
