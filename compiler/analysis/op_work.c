/* op_work.c: see op_work.h. */
#include "compiler/analysis/op_work.h"

#include "compiler/analysis/update_window.h"
#include "compiler/analysis/window_axis.h"

enum { MAX_PAIRS = 1 << 16 }; /* that are checked one by one; beyond it all count */

double op_work_elements(const struct value *value)
{
    int64_t count = type_elements(value->type);
    return count < 0 ? 0 : (double)count;
}

double op_work_bytes(const struct value *value)
{
    int64_t size = type_bytes(value->type);
    return size < 0 ? 0 : (double)size;
}

/* Along a spatial dimension: the number of pairs of an output position and a kernel position that
 * read an element of the input, not padding nor a gap of the dilation. */
static double pairs(const struct op *op, int i)
{
    const struct window_axis at = window_axis_of(op, i);
    const struct dims out_dims = op->attrs.convolution.output_spatial_dimensions;
    int64_t outs = op->results[0].type->shape.dims[out_dims.at[i]], count = 0;
    if ((double)outs * (double)at.window > MAX_PAIRS)
        return at.size ? (double)outs * (double)window_axis_iterations(&at) : 0;
    for (int64_t out = 0; out < outs; out++)
        for (int64_t k = 0; k < at.window; k++) {
            int64_t position = out * at.stride + k * at.window_dilation - at.low;
            count += position >= 0 && position % at.base_dilation == 0 &&
                     position / at.base_dilation < at.size;
        }
    return (double)count;
}

double op_work_multiply_adds(const struct op *op)
{
    double out = op_work_elements(&op->results[0]);
    if (op->code == OP_dot_general)
        return out * (double)dims_elements(op->operands[0]->type,
                                           op->attrs.dot.lhs_contracting_dimensions);
    const struct attrs_convolution *at = &op->attrs.convolution;
    const struct type *kernel = op->operands[1]->type, *type = op->results[0].type;
    double result = (double)type->shape.dims[at->output_batch_dimension] *
                    (double)type->shape.dims[at->output_feature_dimension] *
                    (double)kernel->shape.dims[at->kernel_input_feature_dimension];
    for (int i = 0; i < at->output_spatial_dimensions.count; i++)
        result *= pairs(op, i);
    return result;
}

double op_work_window(const struct op *op)
{
    double result = op_work_elements(&op->results[0]);
    for (int i = 0; i < op->operands[0]->type->shape.rank && result > 0; i++) {
        const struct window_axis axis = window_axis_of(op, i);
        result *= axis.size ? (double)window_axis_iterations(&axis) : 0;
    }
    return result;
}

/* Reads no more elements of its first operand than it returns. */
static bool reads_part(const struct op *op)
{
    return op->code == OP_dynamic_slice || op->code == OP_slice || op->code == OP_gather;
}

/* What a fusion reads of operand i: if it is only sliced, the slices. */
static double bytes_read(const struct op *fusion, int i)
{
    const struct value *inside = &fusion->regions[0]->arguments[i];
    double size = 0, most = op_work_bytes(fusion->operands[i]);
    for (const struct use *use = inside->uses; use; use = use->next)
        size += reads_part(use->user) && use->operand == 0 ? op_work_bytes(&use->user->results[0])
                                                           : most;
    return size < most ? size : most;
}

static double traffic(const struct op *fusion)
{
    double size = 0;
    for (int i = 0; i < fusion->operand_count; i++)
        size += bytes_read(fusion, i);
    for (int i = 0; i < fusion->result_count; i++)
        size += op_work_bytes(&fusion->results[i]);
    return size;
}

static bool is_updated(const struct op *fusion, int operand)
{
    for (int i = 0; i < fusion->result_count; i++) {
        const struct value *array = update_window_array(fusion, i);
        if (array && array->index == operand)
            return true;
    }
    return false;
}

double op_work_fusion_bytes(const struct op *fusion)
{
    if (fusion->attrs.fusion.fusion_kind != FUSION_UPDATE)
        return traffic(fusion);
    double size = 0;
    for (int i = 0; i < fusion->operand_count; i++)
        if (!is_updated(fusion, i))
            size += bytes_read(fusion, i);
    for (int i = 0; i < fusion->result_count; i++)
        size += update_window_array(fusion, i) ? 8 : op_work_bytes(&fusion->results[i]);
    return size;
}
