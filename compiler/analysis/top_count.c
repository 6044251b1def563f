/* top_count.c: see top_count.h. */
#include "compiler/analysis/top_count.h"

/* The limit of a slice along `dim`, if it starts at 0, has stride 1 and keeps all other dimensions;
 * otherwise 0. */
static int64_t prefix_size(const struct op *slice, int64_t dim)
{
    const struct type *type = slice->operands[0]->type;
    const struct attrs_slice *at = &slice->attrs.slice;
    for (int i = 0; i < type->shape.rank; i++)
        if (at->start_indices.at[i] != 0 || at->strides.at[i] != 1 ||
            (i != dim && at->limit_indices.at[i] != type->shape.dims[i]))
            return 0;
    return at->limit_indices.at[dim];
}

int64_t top_count(const struct op *sort)
{
    const struct type *type = sort->operands[0]->type;
    int64_t dim = sort->attrs.sort.dimension, most = 0;
    dim = dim < 0 ? dim + type->shape.rank : dim;
    for (int i = 0; i < sort->result_count; i++)
        for (const struct use *use = sort->results[i].uses; use; use = use->next) {
            bool slices = use->user->code == OP_slice && use->user->block == sort->block;
            int64_t count = slices ? prefix_size(use->user, dim) : 0;
            if (!count)
                return 0;
            most = count > most ? count : most;
        }
    return most;
}
