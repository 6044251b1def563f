/* scatter_window.c: see scatter_window.h. */
#include "compiler/analysis/scatter_window.h"

/* Whether the windows of a scatter are numbered by the dimension of the updates that is `dim`, the
 * only one that indices are for, and that is in no window. */
static bool is_numbered_along(const struct op *op, int dim)
{
    const struct attrs_scatter *s = &op->attrs.scatter;
    const struct shape *updates = &op->operands[op->result_count + 1]->type->shape;
    return s->scatter_dims_to_operand_dims.count == 1 &&
           s->scatter_dims_to_operand_dims.at[0] == dim && !s->input_batching_dims.count &&
           updates->rank == op->operands[0]->type->shape.rank &&
           !dims_contain(s->update_window_dims, dim);
}

bool scatter_window_has_dim(const struct op *scatter, int64_t dim)
{
    const struct attrs_scatter *s = &scatter->attrs.scatter;
    return !dims_contain(s->inserted_window_dims, dim) &&
           !dims_contain(s->input_batching_dims, dim);
}

bool scatter_window_sizes(const struct op *scatter, int64_t *sizes)
{
    const struct attrs_scatter *s = &scatter->attrs.scatter;
    const struct shape *updates = &scatter->operands[scatter->result_count + 1]->type->shape;
    int64_t elements = 1;
    for (int i = 0, from = 0; i < scatter->operands[0]->type->shape.rank; i++) {
        bool is_cut = !scatter_window_has_dim(scatter, i);
        int64_t across = is_cut && is_numbered_along(scatter, i) ? updates->dims[i] : 1;
        sizes[i] = is_cut ? across : updates->dims[s->update_window_dims.at[from++]];
        elements *= sizes[i];
    }
    return elements && elements == shape_elements(updates);
}
