#include "compiler/frontend/mlir/mlir_defaults.h"

static void fill(struct arena *arena, struct dims *dims, int64_t count, int64_t value)
{
    if (dims->count != 0 || count == 0)
        return;
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        at[i] = value;
    *dims = (struct dims){count, at};
}

static void fill_padding(struct arena *arena, struct pairs *padding, int64_t rows)
{
    if (padding->rows == 0 && rows > 0)
        *padding = (struct pairs){rows, 2, ARENA_ARRAY(arena, int64_t, (size_t)rows * 2)};
}

void mlir_defaults_set(struct arena *arena, const struct mlir_attr *given, struct op *op)
{
    union attrs *attrs = &op->attrs;
    int64_t n;
    switch (op->code) {
    case OP_convolution:
        n = attrs->convolution.input_spatial_dimensions.count;
        fill_padding(arena, &attrs->convolution.padding, n);
        /* fall through */
    case OP_dynamic_conv:
        n = attrs->convolution.input_spatial_dimensions.count;
        fill(arena, &attrs->convolution.window_strides, n, 1);
        fill(arena, &attrs->convolution.lhs_dilation, n, 1);
        fill(arena, &attrs->convolution.rhs_dilation, n, 1);
        fill(arena, &attrs->convolution.window_reversal, n, 0);
        break;
    case OP_reduce_window:
        n = attrs->window.window_dimensions.count;
        fill(arena, &attrs->window.window_strides, n, 1);
        fill(arena, &attrs->window.base_dilations, n, 1);
        fill(arena, &attrs->window.window_dilations, n, 1);
        fill_padding(arena, &attrs->window.padding, n);
        break;
    case OP_select_and_scatter:
        n = op->operand_count > 0 ? op->operands[0]->type->shape.rank : 0;
        fill(arena, &attrs->select_and_scatter.window_dimensions, n, 1);
        fill(arena, &attrs->select_and_scatter.window_strides, n, 1);
        fill_padding(arena, &attrs->select_and_scatter.padding, n);
        break;
    case OP_sort:
        if (!mlir_attr_lookup(given, "dimension"))
            attrs->sort.dimension = -1;
        break;
    case OP_custom_call:
        if (!mlir_attr_lookup(given, "api_version"))
            attrs->custom_call.api_version = 1;
        break;
    default: break;
    }
}
