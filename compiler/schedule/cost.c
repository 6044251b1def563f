/* cost.c: see cost.h. */
#include "compiler/schedule/cost.h"

#include "compiler/schedule/concatenation.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/program/program.h"

double cost_of_element(const struct op *op)
{
    switch (op->code) {
    case OP_exponential:
    case OP_exponential_minus_one:
    case OP_erf:
    case OP_log:
    case OP_log_plus_one:
    case OP_logistic:
    case OP_tanh: return 12;
    case OP_tan:
    case OP_atan2:
    case OP_power: return 40;
    case OP_divide:
    case OP_remainder:
    case OP_sqrt:
    case OP_rsqrt: return 8;
    case OP_pad:
    case OP_concatenate: return 4; /* selects an operand for every element */
    case OP_constant:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_iota: return 0.25;
    default: return op_info(op->code)->traits & OP_TRANSCENDENTAL ? 20 : 1;
    }
}

struct copies { /* which of them are free; is_free may be NULL: none */
    cost_is_free *is_free;
    const void *context;
};

static double cost_with(const struct copies *copies, const struct op *op);

static double cost_of_all(const struct copies *copies, const struct block *block)
{
    double cost = 0;
    for (const struct op *op = block->first; op; op = op->next)
        cost += cost_with(copies, op);
    return cost;
}

static double cost_of_one_iteration(const struct copies *copies, const struct op *loop)
{
    return cost_of_all(copies, loop->regions[0]) + cost_of_all(copies, loop->regions[1]) + 10;
}

static double cost_of_control(const struct copies *copies, const struct op *op)
{
    double cost = 0;
    if (op->code == OP_while) {
        int64_t trip_count = trip_count_after_copies(op);
        return cost_of_one_iteration(copies, op) *
               (double)(trip_count < 0 ? PROGRAM_UNKNOWN_TRIP_COUNT : trip_count);
    }
    for (int i = 0; i < op->region_count; i++) {
        double branch = cost_of_all(copies, op->regions[i]);
        cost = branch > cost ? branch : cost;
    }
    return cost;
}

/* Whether an operation copies its operands to their places: no element asks which one it is of. */
static bool is_stored_by_operand(const struct op *op)
{
    const struct use *use = op->result_count ? op->results[0].uses : NULL;
    return op->code == OP_concatenate && use && use->user->code == OP_return &&
           (concatenation_is_divided(op) || concatenation_is_copied(op));
}

/* The arithmetic of an operation other than control flow and fusions. */
static double work_of_op(const struct op *op)
{
    double out = op->result_count ? op_work_elements(&op->results[0]) : 0;
    switch (op->code) {
    case OP_dot_general:
    case OP_convolution: return op_work_multiply_adds(op) / 4;
    case OP_reduce: return op_work_elements(op->operands[0]);
    case OP_reduce_window: return op_work_window(op);
    case OP_sort: return out * 20;
    case OP_custom_call: return op->attrs.custom_call.cost > 0 ? op->attrs.custom_call.cost : out;
    case OP_cholesky:
    case OP_lu:
    case OP_triangular_solve:
        return out * (double)op->results[0].type->shape.dims[op->results[0].type->shape.rank - 1];
    case OP_fft: return out * 20;
    case OP_scatter:
    case OP_dynamic_update_slice: return op_work_elements(op->operands[op->operand_count - 1]);
    default: return is_stored_by_operand(op) ? out : out * cost_of_element(op);
    }
}

static double cost_with(const struct copies *copies, const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_return)
        return 0;
    if (op->code == OP_copy && copies->is_free && copies->is_free(copies->context, op))
        return 0;
    if (op->code == OP_fusion) {
        double work = cost_of_all(copies, op->regions[0]), moved = op_work_fusion_bytes(op) / 4;
        return work > moved ? work : moved;
    }
    if (op_info(op->code)->traits & OP_CONTROL)
        return cost_of_control(copies, op);
    return work_of_op(op);
}

static const struct copies all_cost = {0};

double cost_of_op(const struct op *op)
{
    return cost_with(&all_cost, op);
}

double cost_of_block(const struct block *block)
{
    return cost_of_all(&all_cost, block);
}

double cost_of_iteration(const struct op *loop)
{
    return cost_of_one_iteration(&all_cost, loop);
}

double cost_of_block_but(const struct block *block, cost_is_free *is_free, const void *context)
{
    return cost_of_all(&(struct copies){is_free, context}, block);
}
