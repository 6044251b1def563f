/* convolution_layout.c: see convolution_layout.h. */
#include "compiler/passes/layout/convolution_layout.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/stencil.h"
#include "compiler/passes/library/library_step.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    SMALL = 1 << 16, /* multiply-adds for which another kernel is not worth its compilation */
    REUSES = 4,      /* of an element, for which a transpose is little */
    FEW_FEATURES = 4 /* fewer of a group: lanes read the input of several groups */
};

/* Where a dimension is after `last` has become the last one. */
static int64_t moved(int64_t dim, int64_t last, int rank)
{
    return dim == last ? rank - 1 : dim - (dim > last);
}

static struct dims moved_dims(struct module *module, struct dims dims, int64_t last, int rank)
{
    int64_t at[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < dims.count; i++)
        at[i] = moved(dims.at[i], last, rank);
    return rewrite_dims(module, at, dims.count);
}

/* Transposes an operand so that a dimension becomes its last one. */
static void make_last(struct module *module, struct op *op, int which, int64_t dim)
{
    struct builder b = rewrite_before(module, op);
    struct attrs_convolution *at = &op->attrs.convolution;
    struct value *from = op->operands[which];
    int rank = from->type->shape.rank;
    int64_t permutation[SHAPE_MAX_RANK];
    for (int64_t i = 0; i < rank; i++)
        permutation[moved(i, dim, rank)] = i;
    ir_set_operand(module, op, which, build_transpose(&b, from, permutation));
    struct dims *spatial = which ? &at->kernel_spatial_dimensions : &at->input_spatial_dimensions;
    int64_t *other = which ? &at->kernel_output_feature_dimension : &at->input_batch_dimension,
            *in = which ? &at->kernel_input_feature_dimension : &at->input_feature_dimension;
    *spatial = moved_dims(module, *spatial, dim, rank);
    *other = moved(*other, dim, rank);
    *in = moved(*in, dim, rank);
}

/* Whether a transpose of an operand is worth its time. */
static bool is_reused(const struct op *op, int which)
{
    return op_work_multiply_adds(op) >= REUSES * (double)type_elements(op->operands[which]->type);
}

/* Whether a library computes the convolution of an input with its features last. */
static bool wants_features_last(const struct op *op, const struct target *target)
{
    struct convolution_spec s;
    if (!target->supports_convolution ||
        op->attrs.convolution.input_spatial_dimensions.count > CONVOLUTION_MAX_SPATIAL)
        return false;
    library_spec_convolution(op, &s);
    int64_t step = s.lhs_feature_stride;
    if (step == 1)
        return false;
    s.lhs_feature_stride = 1;
    s.lhs_batch_stride *= s.lhs_batch_stride < step ? s.in_features : 1;
    for (int i = 0; i < s.spatial; i++)
        s.lhs_stride[i] *= s.lhs_stride[i] < step ? s.in_features : 1;
    return target->supports_convolution(&s);
}

/* A dimension of the result in the operand that has it: its number there. */
static int64_t in_operand(const struct op *op, int64_t dim, int *which)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    *which = dim == at->output_feature_dimension;
    if (*which)
        return at->kernel_output_feature_dimension;
    for (int64_t i = 0; i < at->output_spatial_dimensions.count; i++)
        if (dim == at->output_spatial_dimensions.at[i])
            return at->input_spatial_dimensions.at[i];
    return at->input_batch_dimension;
}

static bool has_narrow_groups(const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    int64_t features = op->operands[1]->type->shape.dims[at->kernel_output_feature_dimension];
    return at->feature_group_count > 1 && features / at->feature_group_count < FEW_FEATURES;
}

void convolution_layout_arrange(struct module *module, const struct target *target,
                                struct op *convolution)
{
    int which;
    if (op_work_multiply_adds(convolution) < SMALL || stencil_is(convolution) ||
        library_step_supported(convolution, target))
        return;
    if (is_reused(convolution, 0) && wants_features_last(convolution, target)) {
        int64_t features = convolution->attrs.convolution.input_feature_dimension;
        make_last(module, convolution, 0, features);
        return;
    }
    int64_t dim = in_operand(convolution, type_innermost(convolution->results[0].type), &which);
    const struct type *type = convolution->operands[which]->type;
    if (which == 1 && has_narrow_groups(convolution))
        return;
    if (dim != type_innermost(type) && type->shape.dims[dim] > 1 && is_reused(convolution, which))
        make_last(module, convolution, which, dim);
}
