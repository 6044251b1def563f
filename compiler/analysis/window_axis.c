/* window_axis.c: see window_axis.h. */
#include "compiler/analysis/window_axis.h"

enum { MOST_DILATION = 1 << 15 }; /* of which products are small, for WINDOW_AXIS_HITS */

static struct window_axis of_convolution(const struct op *op, int i)
{
    const struct attrs_convolution *c = &op->attrs.convolution;
    return (struct window_axis){
        .size = op->operands[0]->type->shape.dims[c->input_spatial_dimensions.at[i]],
        .window = op->operands[1]->type->shape.dims[c->kernel_spatial_dimensions.at[i]],
        .stride = dims_at(c->window_strides, i, 1),
        .low = pairs_at(c->padding, i, 0),
        .base_dilation = dims_at(c->lhs_dilation, i, 1),
        .window_dilation = dims_at(c->rhs_dilation, i, 1)};
}

static struct window_axis of_select_and_scatter(const struct op *op, int i)
{
    const struct attrs_select_and_scatter *s = &op->attrs.select_and_scatter;
    return (struct window_axis){.size = op->operands[0]->type->shape.dims[i],
                                .window = dims_at(s->window_dimensions, i, 1),
                                .stride = dims_at(s->window_strides, i, 1),
                                .low = pairs_at(s->padding, i, 0),
                                .base_dilation = 1,
                                .window_dilation = 1};
}

struct window_axis window_axis_of(const struct op *op, int i)
{
    if (op->code == OP_convolution)
        return of_convolution(op, i);
    if (op->code == OP_select_and_scatter)
        return of_select_and_scatter(op, i);
    const struct attrs_window *w = &op->attrs.window;
    return (struct window_axis){.size = op->operands[0]->type->shape.dims[i],
                                .window = dims_at(w->window_dimensions, i, 1),
                                .stride = dims_at(w->window_strides, i, 1),
                                .low = pairs_at(w->padding, i, 0),
                                .base_dilation = dims_at(w->base_dilations, i, 1),
                                .window_dilation = dims_at(w->window_dilations, i, 1)};
}

static int64_t reach(const struct window_axis *axis)
{
    return (axis->size - 1) * axis->base_dilation / axis->window_dilation + 1;
}

static int64_t greatest_divisor(int64_t a, int64_t b)
{
    return b ? greatest_divisor(b, a % b) : a;
}

int64_t window_axis_period(const struct window_axis *axis)
{
    return axis->base_dilation / greatest_divisor(axis->base_dilation, axis->window_dilation);
}

static int64_t hits(const struct window_axis *axis)
{
    int64_t period = window_axis_period(axis);
    return axis->window / period + (axis->window % period != 0);
}

static bool skips_gaps(const struct window_axis *axis)
{
    return window_axis_period(axis) > 1 && axis->base_dilation <= MOST_DILATION &&
           axis->window_dilation <= MOST_DILATION;
}

enum window_axis_loop window_axis_loop(const struct window_axis *axis)
{
    int64_t by_reach = reach(axis);
    if (skips_gaps(axis) && hits(axis) <= by_reach && hits(axis) <= axis->size)
        return WINDOW_AXIS_HITS;
    if (axis->window / 2 <= by_reach && axis->window / 2 <= axis->size)
        return WINDOW_AXIS_POSITIONS;
    return by_reach <= axis->size ? WINDOW_AXIS_REACH : WINDOW_AXIS_ELEMENTS;
}

int64_t window_axis_iterations(const struct window_axis *axis)
{
    switch (window_axis_loop(axis)) {
    case WINDOW_AXIS_HITS: return hits(axis);
    case WINDOW_AXIS_REACH: return reach(axis);
    case WINDOW_AXIS_ELEMENTS: return axis->size;
    default: return axis->window;
    }
}
