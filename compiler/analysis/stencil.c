/* stencil.c: see stencil.h. */
#include "compiler/analysis/stencil.h"

enum {
    LEAST_ROW = 16,  /* positions of a row: a vector of f32 */
    LONG_ROW = 64,   /* positions for which a loop is faster than any number of features */
    VECTOR = 8,      /* features that fill a vector of a library's */
    MOST_RESULTS = 4 /* for each feature: a library reads it once for all of them */
};

/* The innermost dimension that has more than one element; -1: none has. */
static int innermost(const struct type *type)
{
    int i = type->shape.rank - 1;
    while (i >= 0 && type->shape.dims[i] == 1)
        i--;
    return i;
}

/* Whether neighbors in a row of the result are computed from neighbors in a row of the operand. */
static bool has_rows(const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    int in = innermost(op->operands[0]->type), out = innermost(op->results[0].type);
    for (int64_t i = 0; i < at->output_spatial_dimensions.count; i++)
        if (at->output_spatial_dimensions.at[i] == out && at->input_spatial_dimensions.at[i] == in)
            return op->results[0].type->shape.dims[out] >=
                       (at->feature_group_count < VECTOR ? LEAST_ROW : LONG_ROW) &&
                   dims_at(at->window_strides, i, 1) == 1 && dims_at(at->lhs_dilation, i, 1) == 1;
    return false;
}

bool stencil_is(const struct op *op)
{
    if (op->code != OP_convolution || !dtype_is_float(op->results[0].type->shape.dtype))
        return false;
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *kernel = op->operands[1]->type;
    int64_t features = kernel->shape.dims[at->kernel_output_feature_dimension];
    return at->batch_group_count == 1 &&
           kernel->shape.dims[at->kernel_input_feature_dimension] == 1 &&
           features <= MOST_RESULTS * at->feature_group_count && has_rows(op) &&
           dims_elements(kernel, at->kernel_spatial_dimensions) <=
               dims_elements(op->results[0].type, at->output_spatial_dimensions);
}
