/* execution_time.c: see execution_time.h. Counts the units of work (op_units.h) of each kernel as
 * often as the generated code computes them. */
#include "compiler/lower/execution_time.h"

#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/lower/lower_step.h"
#include "compiler/schedule/eval_point.h"
#include "compiler/schedule/fusion_work.h"
#include "compiler/schedule/op_units.h"

struct timer {
    struct arena *arena;
    const struct target *target;
    const struct buffer_plan *plan;
    const struct rates *rates;
};

static void add_block(const struct timer *t, struct op_units *to, const struct block *block);

static double trips(const struct op *loop)
{
    int64_t count = trip_count_after_copies(loop);
    return count < 0 ? EXECUTION_TIME_TRIPS : (double)count;
}

static double seconds_of(const struct timer *t, const struct op_units *work)
{
    double nanoseconds = 0;
    for (int i = 0; i < RATE_COUNT; i++)
        nanoseconds += work->of[i] * t->rates->nanoseconds[i];
    return nanoseconds * 1e-9;
}

/* The branch that takes longest, or all iterations. */
static void add_control(const struct timer *t, struct op_units *to, const struct op *op)
{
    struct op_units all = {0}, most = {0};
    for (int i = 0; i < op->region_count; i++) {
        struct op_units one = {0};
        add_block(t, &one, op->regions[i]);
        op_units_add_times(&all, &one, 1);
        if (seconds_of(t, &one) > seconds_of(t, &most))
            most = one;
    }
    if (op->code == OP_while)
        op_units_add_times(to, &all, trips(op));
    else
        op_units_add_times(to, &most, 1);
}

/* Whether a loop over the result's elements cannot run over rows as if they were one. */
static bool breaks_rows(const struct op *op)
{
    if (op->code == OP_broadcast_in_dim)
        return op_work_elements(op->operands[0]) > 1;
    return (op_info(op->code)->traits & OP_INDEXED && op->code != OP_iota &&
            op->code != OP_reshape) ||
           op->code == OP_reduce;
}

/* An update in place computes what it writes, not every element of its result. */
static double evaluations(const struct op *fusion, const struct op *op)
{
    double times = eval_point_total(op->note), most = op_work_elements(&op->results[0]);
    bool updates = fusion->attrs.fusion.fusion_kind == FUSION_UPDATE;
    return updates && times > most ? most : times;
}

static void add_loop_fusion(const struct timer *t, struct op_units *to, const struct op *fusion)
{
    bool has_rows = false;
    fusion_work_note(t->arena, fusion);
    for (const struct op *op = fusion->regions[0]->first; op; op = op->next)
        if (op->code != OP_return && op->code != OP_constant) {
            op_units_add_op(to, op, evaluations(fusion, op));
            has_rows |= breaks_rows(op);
        }
    if (has_rows && fusion->attrs.fusion.fusion_kind == FUSION_LOOP)
        op_units_add_rows(to, &fusion->results[0]);
}

static void add_inside(const struct timer *t, struct op_units *to, const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_return || op->code == OP_reshape)
        return;
    if (op_info(op->code)->traits & OP_CONTROL) {
        op_units_add(to, RATE_ITERATION, op->code == OP_while ? trips(op) : 1);
        add_control(t, to, op);
    } else if (op->code == OP_fusion) {
        op_units_add(to, RATE_PART, 1);
        if (fusion_work_has_points(op))
            add_loop_fusion(t, to, op);
        else
            add_block(t, to, op->regions[0]);
    } else if (op->result_count) {
        op_units_add_op(to, op, op_work_elements(&op->results[0]));
    }
}

static void add_block(const struct timer *t, struct op_units *to, const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next)
        add_inside(t, to, op);
}

/* ---- steps ----------------------------------------------------------------------------------- */
static double bytes_of_step(const struct op *op)
{
    double bytes = 0;
    if (op->code == OP_fusion)
        return op_work_fusion_bytes(op);
    for (int i = 0; i < op->operand_count; i++)
        bytes += op_work_bytes(op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        bytes += op_work_bytes(&op->results[i]);
    return bytes;
}

static double in_memory(const struct timer *t, double bytes)
{
    bool cached = bytes <= (double)t->target->cache_bytes;
    return bytes * 1e-9 * t->rates->nanoseconds[cached ? RATE_CACHED_BYTES : RATE_BYTES];
}

static double larger(double a, double b)
{
    return a > b ? a : b;
}

static double seconds_of_block(const struct timer *t, const struct block *block);

static double seconds_of_control(const struct timer *t, const struct op *op)
{
    double all = 0, most = 0, step = t->rates->nanoseconds[RATE_STEP] * 1e-9;
    for (int i = 0; i < op->region_count; i++) {
        double one = seconds_of_block(t, op->regions[i]);
        all += one;
        most = larger(most, one);
    }
    return step + (op->code == OP_while ? all * trips(op) : most);
}

/* Without control flow. */
static void add_step(const struct timer *t, struct op_units *to, const struct op *op)
{
    bool is_fused = op->code == OP_fusion;
    if (is_fused && lower_step_calls_kernels(op)) {
        for (const struct op *part = op->regions[0]->first; part; part = part->next)
            add_step(t, to, part);
        return;
    }
    if (op->code == OP_dot_general || op->code == OP_convolution ||
        (is_fused && op->attrs.fusion.fusion_kind == FUSION_DOT))
        op_units_add_library(to, op);
    else if (op->code == OP_custom_call)
        op_units_add_call(to, op);
    else if (is_fused)
        add_inside(t, to, op);
}

/* On one core, without the launch. */
static double seconds_alone(const struct timer *t, const struct op *op)
{
    struct op_units work = {0};
    add_step(t, &work, op);
    return larger(seconds_of(t, &work), in_memory(t, bytes_of_step(op)));
}

/* Of seconds on one core: multiples of what an element of 32 bits takes in memory. */
static double cost_of_seconds(const struct timer *t, double seconds)
{
    return seconds * 1e9 / (4 * t->rates->nanoseconds[RATE_BYTES]);
}

static double seconds_of_step(const struct timer *t, const struct op *op)
{
    if (op->code == OP_constant || op->code == OP_return || op->code == OP_reshape ||
        (op->code == OP_copy && !lower_step_copies(t->plan, op)))
        return 0;
    if (op_info(op->code)->traits & OP_CONTROL)
        return seconds_of_control(t, op);
    double seconds = seconds_alone(t, op);
    bool is_shared = cost_of_seconds(t, seconds) >= (double)t->target->parallel_cost;
    return t->rates->nanoseconds[RATE_STEP] * 1e-9 +
           (is_shared ? seconds / t->target->cores : seconds);
}

static double seconds_of_block(const struct timer *t, const struct block *block)
{
    double seconds = 0;
    for (const struct op *op = block->first; op; op = op->next)
        seconds += seconds_of_step(t, op);
    return seconds;
}

static struct timer timer_of(const struct lowerer *l)
{
    return (struct timer){l->scratch, l->target, l->plan, rates_of(l->target->isa.class)};
}

double execution_time_cost(const struct lowerer *l, const struct op *fusion)
{
    const struct timer t = timer_of(l);
    return cost_of_seconds(&t, seconds_alone(&t, fusion));
}

double execution_time(const struct lowerer *l, const struct block *main)
{
    const struct timer t = timer_of(l);
    double seconds = t.rates->nanoseconds[RATE_EXECUTION] * 1e-9 + seconds_of_block(&t, main);
    return seconds < EXECUTION_TIME_MAX ? seconds : EXECUTION_TIME_MAX; /* a NaN, too */
}
