/* cost_analysis.c: see cost_analysis.h. */
#include "compiler/analysis/cost_analysis.h"

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"

static bool is_transcendental(enum op_code code)
{
    return op_info(code)->traits & OP_TRANSCENDENTAL;
}

/* Operations that copy values unchanged. */
static bool is_movement(enum op_code code)
{
    return code == OP_copy || code == OP_bitcast_convert || code == OP_optimization_barrier;
}

/* The number of operations that reduce `in` elements to `out`; 0 if there are no elements, because
 * the results are then the initial values. */
static double combined(double in, double out)
{
    return in > out ? in - out : 0;
}

static void add_arithmetic(const struct op *op, struct cost_analysis *to)
{
    double out = op->result_count ? op_work_elements(&op->results[0]) : 0;
    if (op->code == OP_dot_general || op->code == OP_convolution)
        to->flops += 2 * op_work_multiply_adds(op);
    else if (op->code == OP_reduce)
        to->flops += combined(op_work_elements(op->operands[0]), out);
    else if (op->code == OP_reduce_window)
        to->flops += combined(op_work_window(op), out);
    else if (is_transcendental(op->code))
        to->transcendentals += out;
    else if ((op_info(op->code)->traits & OP_ELEMENTWISE) && !is_movement(op->code))
        to->flops += out;
}

static void add_block(const struct block *block, struct cost_analysis *to)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code != OP_copy)
            cost_analysis_add(op, to);
}

static void add_times(struct cost_analysis *to, const struct cost_analysis *what, double times)
{
    to->flops += times * what->flops;
    to->transcendentals += times * what->transcendentals;
    to->bytes_accessed += times * what->bytes_accessed;
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

/* Adds the cost of the most expensive branch, or of all iterations of a loop. */
static void add_control(const struct op *op, struct cost_analysis *to)
{
    struct cost_analysis whole = {0};
    for (int i = 0; i < op->region_count; i++) {
        struct cost_analysis one = {0};
        add_block(op->regions[i], &one);
        if (op->code == OP_while)
            add_times(&whole, &one, 1);
        else
            whole = (struct cost_analysis){larger(whole.flops, one.flops),
                                           larger(whole.transcendentals, one.transcendentals),
                                           larger(whole.bytes_accessed, one.bytes_accessed)};
    }
    int64_t trip_count = op->code == OP_while ? trip_count_of(op) : 1;
    add_times(to, &whole, trip_count < 0 ? 1 : (double)trip_count);
}

void cost_analysis_add(const struct op *op, struct cost_analysis *to)
{
    if (op->code == OP_constant || op->code == OP_return)
        return;
    if (op_info(op->code)->traits & OP_CONTROL) {
        add_control(op, to);
        return;
    }
    if (op->code == OP_fusion) {
        struct cost_analysis inside = {0};
        add_block(op->regions[0], &inside);
        inside.bytes_accessed = op_work_fusion_bytes(op);
        add_times(to, &inside, 1);
        return;
    }
    add_arithmetic(op, to);
    for (int i = 0; i < op->operand_count; i++)
        to->bytes_accessed += op_work_bytes(op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        to->bytes_accessed += op_work_bytes(&op->results[i]);
}
