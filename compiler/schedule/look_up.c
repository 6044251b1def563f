/* look_up.c: see look_up.h. */
#include "compiler/schedule/look_up.h"

bool look_up_is(const struct op *op)
{
    if (op->code != OP_gather || op->operands[0]->type->shape.rank != 1)
        return false;
    const struct attrs_gather *at = &op->attrs.gather;
    const struct shape *indices = &op->operands[1]->type->shape;
    const int64_t vectors = at->index_vector_dim;
    return at->slice_sizes.count == 1 && at->slice_sizes.at[0] == 1 &&
           at->start_index_map.count == 1 &&
           (vectors == indices->rank ||
            (vectors == indices->rank - 1 && indices->dims[vectors] == 1));
}

struct value *look_up_build(struct builder *b, struct value *table, struct value *indices)
{
    static const int64_t numbers[] = {0, 1};
    const struct dims zero = {1, numbers}, one = {1, numbers + 1};
    const union attrs attrs = {.gather = {.collapsed_slice_dims = zero,
                                          .start_index_map = zero,
                                          .index_vector_dim = indices->type->shape.rank,
                                          .slice_sizes = one}};
    struct value *const operands[] = {table, indices};
    return build_declared(b, OP_gather, 2, operands, NULL, &attrs);
}
