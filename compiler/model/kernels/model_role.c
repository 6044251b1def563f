/* model_role.c: see model_role.h. */
#include "compiler/model/kernels/model_role.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/memory_copy.h"

static bool is_small(const struct value *value)
{
    return type_elements(value->type) <= 1;
}

static bool is_splat(const struct op *constant)
{
    return constant->attrs.constant.value->splat || is_small(&constant->results[0]);
}

/* Whether a scatter writes one element of each row: a selection by an index. */
static bool is_selection(const struct op *scatter)
{
    const struct attrs_scatter *at = &scatter->attrs.scatter;
    int rank = scatter->operands[0]->type->shape.rank;
    return scatter->operand_count == 3 && at->input_batching_dims.count == rank - 1 &&
           at->inserted_window_dims.count == 1;
}

enum model_role model_role(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    switch (op->code) {
    case OP_constant: return is_splat(op) ? MODEL_FREE : MODEL_OPAQUE;
    case OP_iota:
    case OP_partition_id:
    case OP_replica_id: return MODEL_FREE;
    case OP_dot_general:
    case OP_convolution: return MODEL_PRODUCT;
    case OP_dynamic_update_slice: return MODEL_UPDATE;
    case OP_scatter: return is_selection(op) ? MODEL_FUSIBLE : MODEL_UPDATE;
    case OP_reduce: return MODEL_REDUCE;
    case OP_optimization_barrier: return MODEL_ALIAS;
    case OP_gather: return MODEL_OPAQUE;
    default: break;
    }
    if (traits & OP_CONTROL)
        return MODEL_CONTROL;
    if (memory_copy_is(op) || op->code == OP_copy)
        return MODEL_OPAQUE;
    bool computed = op->code == OP_bitcast_convert || op->code == OP_real || op->code == OP_imag;
    return (traits & (OP_ELEMENTWISE | OP_INDEXED)) || computed ? MODEL_FUSIBLE : MODEL_OPAQUE;
}

bool model_role_absorbs(const struct op *op, int i)
{
    switch (model_role(op)) {
    case MODEL_FUSIBLE:
    case MODEL_REDUCE:
    case MODEL_PRODUCT: return true;
    case MODEL_UPDATE: return op->code == OP_dynamic_update_slice && i > 0;
    case MODEL_OPAQUE: return (op->code == OP_gather && i > 0) || op->code == OP_fft;
    default: return false;
    }
}

bool model_role_keeps_elements(const struct op *op, int i)
{
    bool moves = op->code == OP_reshape || op->code == OP_transpose || op->code == OP_reverse ||
                 op->code == OP_bitcast_convert;
    return (moves || (op_info(op->code)->traits & OP_ELEMENTWISE)) &&
           type_elements(op->operands[i]->type) == type_elements(op->results[0].type);
}
