/* canonicalize_window.c: see canonicalize_window.h. */
#include "compiler/passes/canonicalize/canonicalize_window.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"
#include "compiler/analysis/window_axis.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    ROW = 8,            /* elements of a row from which on vectors of it are well used */
    LEAST_RESULT = 512, /* elements that are worth the operations */
    MOST_SLICES = 9,
    MOST_PADDING = 4 /* times the array */
};

/* Slices of whole rows of few elements, of each second row, would be shuffled, which takes long to
 * compile. */
static bool has_short_rows(const struct op *op)
{
    const struct shape *shape = &op->results[0].type->shape;
    int row = type_innermost(op->results[0].type);
    if (row < 0 || shape->dims[row] >= ROW)
        return false;
    return row == 0 || window_axis_of(op, row - 1).stride == 1 ||
           window_axis_of(op, row).stride > 1;
}

static int64_t extent(const struct window_axis *axis)
{
    return (axis->window - 1) * axis->window_dilation + 1;
}

/* What is behind the array for the last window; negative where windows end before it does. */
static int64_t high_of(const struct window_axis *axis, int64_t windows)
{
    int64_t end = (windows - 1) * axis->stride + extent(axis);
    return end - axis->low - ((axis->size - 1) * axis->base_dilation + 1);
}

/* Whether each window ends, or begins, with its position: a scan, which has loops of its own. */
static bool is_scan(const struct window_axis *axis, int64_t windows)
{
    return axis->window >= axis->size && axis->stride == 1 &&
           (axis->low == 0 || high_of(axis, windows) == 0);
}

/* Whether windows are few elements each and overlap, unlike those of a scan. */
static bool has_small_windows(const struct op *op)
{
    int64_t slices = 1;
    bool overlap = false;
    for (int i = 0; i < op->results[0].type->shape.rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        if (axis.window > 1 && is_scan(&axis, op->results[0].type->shape.dims[i]))
            return false;
        overlap |= axis.window > 1 && extent(&axis) > axis.stride;
        slices *= axis.window;
    }
    return overlap && slices > 1 && slices <= MOST_SLICES;
}

static bool is_padded(const struct op *op)
{
    bool padded = false;
    for (int i = 0; i < op->results[0].type->shape.rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        int64_t high = high_of(&axis, op->results[0].type->shape.dims[i]);
        padded |= axis.low > 0 || high > 0 || axis.base_dilation > 1;
    }
    return padded;
}

/* How many times the array's elements the padded array has. */
static double growth(const struct op *op)
{
    double factor = 1;
    for (int i = 0; i < op->results[0].type->shape.rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        int64_t high = high_of(&axis, op->results[0].type->shape.dims[i]);
        int64_t base = (axis.size - 1) * axis.base_dilation + 1;
        factor *= (double)(axis.low + base + high) / (double)axis.size;
    }
    return factor;
}

static bool is_suitable(const struct module *module, const struct op *op)
{
    enum dtype dtype = op->results[0].type->shape.dtype;
    enum op_code code = reducer_of_sum_or_extremum(op);
    if (module->num_partitions > 1 || module->awaits_model || code == OP_INVALID_CODE ||
        !(dtype_is_integer(dtype) || dtype == DTYPE_F32 || dtype == DTYPE_F64) ||
        op->operands[0]->type->shape.dtype != dtype || !has_small_windows(op) ||
        !has_short_rows(op) || type_elements(op->results[0].type) < LEAST_RESULT)
        return false;
    return growth(op) <= MOST_PADDING &&
           (!is_padded(op) || code != OP_add || constants_is_splat_of(op->operands[1], 0));
}

/* The array with padding wherever windows read it, and without what no window reads. */
static struct value *padded_array(struct builder *b, const struct op *op)
{
    int rank = op->results[0].type->shape.rank;
    int64_t low[SHAPE_MAX_RANK], high[SHAPE_MAX_RANK], gap[SHAPE_MAX_RANK];
    for (int i = 0; i < rank; i++) {
        struct window_axis axis = window_axis_of(op, i);
        low[i] = axis.low;
        high[i] = high_of(&axis, op->results[0].type->shape.dims[i]);
        gap[i] = axis.base_dilation - 1;
    }
    return build_pad(b, op->operands[0], op->operands[1], low, high, gap);
}

/* Element `number` of all windows, in the order in which a window is reduced. */
static struct value *slice_of(struct builder *b, const struct op *op, struct value *array,
                              int64_t number)
{
    int64_t start[SHAPE_MAX_RANK], limit[SHAPE_MAX_RANK], stride[SHAPE_MAX_RANK];
    for (int i = op->results[0].type->shape.rank - 1; i >= 0; i--) {
        struct window_axis axis = window_axis_of(op, i);
        start[i] = number % axis.window * axis.window_dilation;
        stride[i] = axis.stride;
        limit[i] = start[i] + (op->results[0].type->shape.dims[i] - 1) * axis.stride + 1;
        number /= axis.window;
    }
    return build_slice(b, array, start, limit, stride);
}

struct value *canonicalize_window_of_slices(struct module *module, const struct op *reduce_window)
{
    int64_t count = 1;
    if (!is_suitable(module, reduce_window))
        return NULL;
    for (int i = 0; i < reduce_window->results[0].type->shape.rank; i++)
        count *= window_axis_of(reduce_window, i).window;
    struct builder b = rewrite_before(module, reduce_window);
    struct value *array = padded_array(&b, reduce_window);
    struct value *result =
        rewrite_broadcast_scalar(&b, reduce_window->operands[1], reduce_window->results[0].type);
    for (int64_t i = 0; i < count; i++)
        result = build_binary(&b, reducer_of(reduce_window), result,
                              slice_of(&b, reduce_window, array, i));
    return result;
}
