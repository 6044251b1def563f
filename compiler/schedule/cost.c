/* cost.c: see cost.h. */
#include "compiler/schedule/cost.h"

#include "compiler/schedule/concatenation.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/program/program.h"
#include "compiler/schedule/op_units.h"

static double operations_of(const struct op_units *units)
{
    double operations = 0;
    for (int i = 0; i < RATE_COUNT; i++)
        operations += units->of[i] * rates_operations(i);
    return operations;
}

static bool is_row(const struct op *reduce)
{
    int last = reduce->operands[0]->type->shape.rank - 1;
    return dims_contain(reduce->attrs.dimensions.dimensions, last);
}

static enum rate rate_of(const struct op *op)
{
    if (op->code != OP_reduce)
        return op_units_rate(op);
    return op->result_count > 1 ? RATE_REDUCED_PAIR
           : is_row(op)         ? RATE_REDUCED_ROW
                                : RATE_REDUCED_COLUMN;
}

double cost_of_element(const struct op *op)
{
    return rates_operations(rate_of(op));
}

double cost_time(enum rate rate, double units)
{
    const double *nanoseconds = rates_of(ISA_WIDE)->nanoseconds;
    return units * nanoseconds[rate] / (4 * nanoseconds[RATE_CACHED_BYTES]);
}

double cost_time_of_element(const struct op *op)
{
    struct op_units units = {0};
    double time = 0;
    op_units_add_op(&units, op, 1);
    for (int i = 0; i < RATE_COUNT; i++)
        time += cost_time(i, units.of[i]);
    return time;
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
    return cost_of_all(copies, loop->regions[0]) + cost_of_all(copies, loop->regions[1]) +
           rates_operations(RATE_ITERATION);
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

static bool gives_tensor(const struct op *op)
{
    return op->result_count && op->results[0].type->kind == TYPE_TENSOR;
}

/* An operation other than control flow and fusions. Products are those of libraries. */
static double work_of_op(const struct op *op)
{
    struct op_units units = {0};
    double out = op->result_count ? op_work_elements(&op->results[0]) : 0;
    if (op->code == OP_custom_call)
        return op->attrs.custom_call.cost > 0 ? op->attrs.custom_call.cost : out;
    if (is_stored_by_operand(op) || !gives_tensor(op))
        return out;
    if (op->code == OP_dot_general || op->code == OP_convolution)
        op_units_add_product(&units, op);
    else
        op_units_add_op(&units, op, out);
    return operations_of(&units);
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
