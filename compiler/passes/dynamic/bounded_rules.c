#include "compiler/passes/dynamic/bounded_rules.h"

static bounded_rule *const rules[OP_CODE_COUNT] = {
    [OP_bitcast_convert] = bounded_math_each,
    [OP_broadcast_in_dim] = bounded_moves_follow,
    [OP_concatenate] = bounded_moves_concatenate,
    [OP_convolution] = bounded_math_convolution,
    [OP_dot_general] = bounded_math_dot,
    [OP_dynamic_slice] = bounded_moves_dynamic_slice,
    [OP_dynamic_update_slice] = bounded_moves_update,
    [OP_gather] = bounded_moves_gather,
    [OP_map] = bounded_math_elementwise,
    [OP_optimization_barrier] = bounded_math_each,
    [OP_pad] = bounded_moves_pad,
    [OP_reduce] = bounded_math_reduce,
    [OP_reduce_window] = bounded_math_window,
    [OP_reshape] = bounded_reshape,
    [OP_reverse] = bounded_moves_reverse,
    [OP_scatter] = bounded_moves_scatter,
    [OP_slice] = bounded_moves_slice,
    [OP_sort] = bounded_moves_sort,
    [OP_transpose] = bounded_moves_follow,
};

bounded_rule *bounded_rules_find(const struct op *op)
{
    if (op->code == OP_bitcast_convert &&
        op->operands[0]->type->shape.rank != op->results[0].type->shape.rank)
        return NULL;
    if (!rules[op->code] && op_info(op->code)->traits & OP_ELEMENTWISE)
        return bounded_math_elementwise;
    return rules[op->code];
}
