/* emit_convolution.c: convolution as an expression, for any dimension order, dilation, grouping and
 * padding. Each element is a loop over the window and the input features of its group. */
#include "compiler/codegen/element/affine_divide.h"
#include "compiler/codegen/element/element_convert.h"
#include "compiler/codegen/element/elementwise.h"
#include "compiler/codegen/loops/reduction.h"
#include "compiler/codegen/loops/window_position.h"
#include "compiler/codegen/op_emitters/op_emitters.h"

struct convolution {
    const struct op *op;
    const struct attrs_convolution *c;
    enum dtype dtype; /* of the accumulator */
    const struct index *index;
    struct affine batch, first_feature; /* input batch index; first feature of the group */
};

static struct error *widened(struct emitter *e, const struct convolution *v, int which,
                             struct element *element)
{
    enum dtype from = dtype_real_part(v->op->operands[which]->type->shape.dtype),
               to = dtype_real_part(v->dtype);
    for (int part = 0; part < 2 && element->part[part]; part++)
        element->part[part] = element_convert(e, element->part[part], from, to);
    return NULL;
}

/* `at` holds the window positions, then the feature within the group. */
static struct error *convolution_step(struct emitter *e, void *context, const struct affine *at,
                                      struct element *accumulators)
{
    const struct convolution *v = context;
    const struct attrs_convolution *c = v->c;
    const struct type *kernel = v->op->operands[1]->type;
    int64_t spatial = c->input_spatial_dimensions.count;
    struct affine *in = affine_array(e, (int)spatial + 2),
                  *weight = affine_array(e, (int)spatial + 2);
    struct element x, w, before = *accumulators;
    LLVMValueRef inside = NULL, inside_window = NULL;
    for (int64_t i = 0; i < spatial; i++) {
        int64_t dim = c->kernel_spatial_dimensions.at[i];
        struct window_axis axis = window_axis_of(v->op, (int)i);
        const struct affine *out = &v->index->at[c->output_spatial_dimensions.at[i]];
        struct window_position position = window_position(e, &axis, out, &at[i]);
        inside = expression_and(e, inside, position.inside);
        if (window_axis_loop(&axis) != WINDOW_AXIS_POSITIONS)
            inside_window = expression_and(e, inside_window, position.inside);
        in[c->input_spatial_dimensions.at[i]] = position.element;
        weight[dim] = position.in_window;
        if (i < c->window_reversal.count && c->window_reversal.at[i]) {
            weight[dim] = affine_scale(&position.in_window, -1);
            weight[dim].constant += kernel->shape.dims[dim] - 1;
        }
    }
    in[c->input_batch_dimension] = v->batch;
    in[c->input_feature_dimension] = affine_add(e, &v->first_feature, &at[spatial]);
    weight[c->kernel_input_feature_dimension] = at[spatial];
    weight[c->kernel_output_feature_dimension] = v->index->at[c->output_feature_dimension];
    struct index input = affine_index((int)spatial + 2, in),
                 weights = affine_index((int)spatial + 2, weight);
    TRY(expression_guarded(e, v->op->operands[0], &input, inside, &x));
    TRY(expression_guarded(e, v->op->operands[1], &weights, inside_window, &w));
    TRY(widened(e, v, 0, &x));
    TRY(widened(e, v, 1, &w));
    TRY(elementwise_accumulate(e, v->dtype, &x, &w, accumulators));
    struct element condition = inside ? element_of(inside) : x;
    if (inside)
        *accumulators = element_select(e, &condition, accumulators, &before);
    return NULL;
}

/* Every output feature belongs to one group, which has its own input features or its own part of
 * the batch. */
static void find_group(struct emitter *e, struct convolution *v)
{
    const struct attrs_convolution *c = v->c;
    const struct type *in = v->op->operands[0]->type, *kernel = v->op->operands[1]->type;
    int64_t out_features = kernel->shape.dims[c->kernel_output_feature_dimension];
    const struct affine *feature = &v->index->at[c->output_feature_dimension];
    struct affine group, rest;
    v->batch = v->index->at[c->output_batch_dimension];
    v->first_feature = affine_constant(0);
    if (c->feature_group_count > 1) {
        affine_divide(e, feature, out_features / c->feature_group_count, &group, &rest);
        v->first_feature =
            affine_scale(&group, kernel->shape.dims[c->kernel_input_feature_dimension]);
    }
    if (c->batch_group_count > 1) {
        affine_divide(e, feature, out_features / c->batch_group_count, &group, &rest);
        group =
            affine_scale(&group, in->shape.dims[c->input_batch_dimension] / c->batch_group_count);
        v->batch = affine_add(e, &v->batch, &group);
    }
}

static struct error *convolution_combine(struct emitter *e, void *context, struct element *a,
                                         const struct element *b)
{
    const struct convolution *v = context;
    return elementwise_combine(e, v->dtype == DTYPE_PRED ? OP_or : OP_add, v->dtype, a, b, a);
}

struct error *emit_convolution(struct emitter *e, const struct op *op, const struct index *index,
                               struct element *out)
{
    struct convolution *v = ARENA_NEW(e->arena, struct convolution);
    const struct attrs_convolution *c = &op->attrs.convolution;
    const struct type *kernel = op->operands[1]->type;
    int64_t *sizes = ARENA_ARRAY(e->arena, int64_t, SHAPE_MAX_RANK),
            spatial = c->input_spatial_dimensions.count;
    enum dtype result = op->results[0].type->shape.dtype;
    v->op = op;
    v->c = c;
    v->index = index;
    v->dtype = element_is_small_float(result) ? DTYPE_F32 : result;
    sizes[spatial] = kernel->shape.dims[c->kernel_input_feature_dimension];
    struct element initial = element_from_double(e, v->dtype, 0);
    if (!type_elements(op->operands[0]->type)) {
        *out = element_from_double(e, result, 0);
        return NULL;
    }
    for (int i = 0; i < spatial; i++) {
        struct window_axis axis = window_axis_of(op, i);
        sizes[i] = window_axis_iterations(&axis);
    }
    find_group(e, v);
    struct reduction r = {.rank = (int)spatial + 1,
                          .sizes = sizes,
                          .count = 1,
                          .dtypes = &v->dtype,
                          .initial = &initial,
                          .identity = dtype_is_float(v->dtype) ? &initial : NULL,
                          .lanes = expression_lanes(e, index),
                          .step = convolution_step,
                          .combine = convolution_combine,
                          .context = v};
    TRY(reduction_emit(e, &r, out));
    if (v->dtype != result)
        out->part[0] = element_convert(e, out->part[0], v->dtype, result);
    return NULL;
}
