/* product_side.c: see product_side.h. */
#include "compiler/passes/products/product_side.h"

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
