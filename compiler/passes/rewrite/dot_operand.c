/* dot_operand.c: see dot_operand.h. */
#include "compiler/passes/rewrite/dot_operand.h"

#include "compiler/passes/rewrite/rewrite.h"

struct dims *dot_operand_dims(struct op *dot, int which, bool batch)
{
    struct attrs_dot *at = &dot->attrs.dot;
    if (batch)
        return which ? &at->rhs_batching_dimensions : &at->lhs_batching_dimensions;
    return which ? &at->rhs_contracting_dimensions : &at->lhs_contracting_dimensions;
}

void dot_operand_transpose(struct module *module, struct op *dot, int which)
{
    struct builder b = rewrite_before(module, dot);
    struct dims *batch = dot_operand_dims(dot, which, true),
                *contract = dot_operand_dims(dot, which, false);
    int64_t permutation[SHAPE_MAX_RANK];
    int rank = 0;
    for (int64_t i = 0; i < batch->count; i++)
        permutation[rank++] = batch->at[i];
    for (int i = 0; i < dot->operands[which]->type->shape.rank; i++)
        if (!dims_contain(*batch, i) && !dims_contain(*contract, i))
            permutation[rank++] = i;
    for (int64_t i = 0; i < contract->count; i++)
        permutation[rank++] = contract->at[i];
    ir_set_operand(module, dot, which, build_transpose(&b, dot->operands[which], permutation));
    *batch = rewrite_range(module, 0, batch->count);
    *contract = rewrite_range(module, rank - contract->count, contract->count);
}
