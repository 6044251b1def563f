#include "compiler/passes/canonicalize/canonicalize_convolution.h"

#include "compiler/passes/canonicalize/canonicalize_products.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MUCH_LARGER = 4 };

static bool should_swap(const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *lhs = op->operands[0]->type, *rhs = op->operands[1]->type,
                      *out = op->results[0].type;
    for (int64_t i = 0; i < at->window_reversal.count; i++)
        if (at->window_reversal.at[i])
            return false;
    return !rewrite_is_all(at->lhs_dilation, 1) && rewrite_is_all(at->window_strides, 1) &&
           rewrite_is_all(at->rhs_dilation, 1) && at->feature_group_count == 1 &&
           at->batch_group_count == 1 && type_elements(lhs) > 0 && type_elements(rhs) > 0 &&
           type_elements(out) > 0 &&
           (double)dims_elements(rhs, at->kernel_spatial_dimensions) >=
               MUCH_LARGER * (double)dims_elements(out, at->output_spatial_dimensions);
}

/* With i the index in the input, s its dilation, p the padding before it and O the result's size,
 * the index in the window is i s + p - o. For o' = O - 1 - o that is o' + i s - (O - 1 - p): a
 * window dilated by s, over an array padded by O - 1 - p. */
static struct pairs swapped_padding(struct module *module, const struct op *op)
{
    const struct attrs_convolution *at = &op->attrs.convolution;
    int64_t count = at->output_spatial_dimensions.count;
    int64_t *padding = ARENA_ARRAY(module->arena, int64_t, 2 * count + 1);
    for (int64_t i = 0; i < count; i++) {
        int64_t size = op->operands[0]->type->shape.dims[at->input_spatial_dimensions.at[i]];
        int64_t window = op->operands[1]->type->shape.dims[at->kernel_spatial_dimensions.at[i]];
        int64_t result = op->results[0].type->shape.dims[at->output_spatial_dimensions.at[i]];
        int64_t before = i < at->padding.rows ? at->padding.at[i * at->padding.columns] : 0;
        int64_t reach = (size - 1) * dims_at(at->lhs_dilation, i, 1);
        padding[2 * i] = result - 1 - before;
        padding[2 * i + 1] = result + reach - window - padding[2 * i];
    }
    return (struct pairs){count, 2, padding};
}

static struct error *swap(struct module *module, struct op *op)
{
    struct builder b = rewrite_before(module, op);
    const struct attrs_convolution *at = &op->attrs.convolution;
    union attrs attrs = op->attrs, reverse = {0};
    struct attrs_convolution *to = &attrs.convolution;
    to->padding = swapped_padding(module, op);
    to->precision_config = (struct precisions){at->precision_config.rhs, at->precision_config.lhs};
    to->lhs_dilation = at->rhs_dilation;
    to->rhs_dilation = at->lhs_dilation;
    to->input_batch_dimension = at->kernel_output_feature_dimension;
    to->input_feature_dimension = at->kernel_input_feature_dimension;
    to->input_spatial_dimensions = at->kernel_spatial_dimensions;
    to->kernel_output_feature_dimension = at->input_batch_dimension;
    to->kernel_input_feature_dimension = at->input_feature_dimension;
    to->kernel_spatial_dimensions = at->input_spatial_dimensions;
    to->output_batch_dimension = at->output_feature_dimension;
    to->output_feature_dimension = at->output_batch_dimension;
    reverse.dimensions.dimensions = at->output_spatial_dimensions;
    struct value *swapped =
        build_declared(&b, OP_convolution, 2, (struct value *[]){op->operands[1], op->operands[0]},
                       op->results[0].type, &attrs);
    return rewrite_with(module, op,
                        build_declared(&b, OP_reverse, 1, &swapped, op->results[0].type, &reverse));
}

struct error *canonicalize_convolution(struct module *module, struct op *op)
{
    TRY(canonicalize_products_mixed(module, op));
    bool is_replaced = !op->block;
    return !is_replaced && should_swap(op) ? swap(module, op) : NULL;
}
