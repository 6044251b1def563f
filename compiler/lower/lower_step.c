/* lower_step.c: see lower_step.h. */
#include "compiler/lower/lower_step.h"

#include <math.h>

#include "compiler/schedule/cost.h"
#include "compiler/analysis/cost_analysis.h"
#include "compiler/schedule/operand_slice.h"

int64_t lower_step_cost(double cost)
{
    return cost < 1e15 ? (int64_t)llround(cost) : (int64_t)1e15;
}

bool lower_step_copies(const struct buffer_plan *plan, const struct op *copy)
{
    const struct slice *from = buffer_plan_slice(plan, copy->operands[0]);
    const struct slice *to = buffer_plan_slice(plan, &copy->results[0]);
    return from->size && (from->allocation != to->allocation || from->offset != to->offset);
}

struct step lower_step(const struct lowerer *l, enum step_kind kind, const char *name,
                       const struct op *op)
{
    struct step step = {.kind = kind, .plan = -1, .cost = lower_step_cost(cost_of_op(op))};
    const struct location *at = op->location;
    if (kind != STEP_WHILE && kind != STEP_CASE)
        cost_analysis_add(op, &step.analysis);
    if (at && at->name && at->file)
        step.label = arena_format(l->arena, "%s: %s (%s:%d:%d)", name, at->name, at->file, at->line,
                                  at->column);
    else if (at && at->name)
        step.label = arena_format(l->arena, "%s: %s", name, at->name);
    else
        step.label = arena_format(l->arena, "%s", name);
    return step;
}

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}

void lower_step_add_slice(struct step *step, const struct slice *slice)
{
    step->slices[step->slice_count++] = *slice;
}

/* ---- slices of arrays ------------------------------------------------------------------------ */
static const struct slice *slice_outside(const struct lowerer *l, const struct value *inside)
{
    return buffer_plan_slice(l->plan, l->sliced->operands[inside->index]);
}

static void add_offsets(struct lowerer *l, int slice, const struct operand_slice *at, int64_t bytes)
{
    for (int i = 0; i < at->count; i++)
        VEC_PUSH(l->arena, &l->offsets,
                 (struct slice_offset){.slice = slice,
                                       .dtype = at->at[i].value->type->shape.dtype,
                                       .index = *slice_outside(l, at->at[i].value),
                                       .last = at->at[i].last,
                                       .stride = at->at[i].stride * bytes});
}

static void add_inside(struct lowerer *l, struct step *step, const struct value *value)
{
    struct operand_slice at;
    const bool is_slice = operand_slice_of(value, &at);
    struct slice slice = *slice_outside(l, is_slice ? at.whole : value);
    if (is_slice) {
        const int64_t bytes = dtype_bytes(value->type->shape.dtype);
        slice.offset += (uint64_t)(at.first * bytes);
        slice.size = (uint64_t)type_bytes(value->type);
        add_offsets(l, step->slice_count, &at, bytes);
    }
    lower_step_add_slice(step, &slice);
}

static bool is_inside(const struct lowerer *l, const struct value *value)
{
    return l->sliced && ir_is_inside(value, l->sliced->regions[0]);
}

void lower_step_add_operand(struct lowerer *l, struct step *step, const struct value *value)
{
    if (is_inside(l, value))
        add_inside(l, step, value);
    else
        lower_step_add_slice(step, buffer_plan_slice(l->plan, value));
}

void lower_step_add_argument(struct lowerer *l, struct step *step, const struct op *fusion,
                             const struct value *argument)
{
    lower_step_add_operand(l, step, fusion->operands[argument->index]);
}

void lower_step_add_result(const struct lowerer *l, struct step *step, const struct value *value)
{
    if (is_inside(l, value))
        value = &l->sliced->results[value->index];
    lower_step_add_slice(step, buffer_plan_slice(l->plan, value));
}

/* ---- all values of an operation -------------------------------------------------------------- */
void lower_step_add_operands(const struct lowerer *l, struct step *step, const struct op *op,
                             int more)
{
    step->slices = ARENA_ARRAY(l->arena, struct slice, op->operand_count + op->result_count + more);
    for (int i = 0; i < op->operand_count; i++)
        if (is_tensor(op->operands[i]))
            lower_step_add_slice(step, buffer_plan_slice(l->plan, op->operands[i]));
}

void lower_step_add_results(const struct lowerer *l, struct step *step, const struct op *op)
{
    step->operand_count = step->slice_count;
    for (int i = 0; i < op->result_count; i++)
        if (is_tensor(&op->results[i]))
            lower_step_add_slice(step, buffer_plan_slice(l->plan, &op->results[i]));
}

void lower_step_add_values(const struct lowerer *l, struct step *step, const struct op *op)
{
    lower_step_add_operands(l, step, op, 1);
    lower_step_add_results(l, step, op);
}

bool lower_step_calls_kernels(const struct op *fusion)
{
    enum fusion_kind kind = fusion->attrs.fusion.fusion_kind;
    return kind == FUSION_ATTENTION || kind == FUSION_ATTENTION_BACKWARD ||
           kind == FUSION_THIN_DOT || kind == FUSION_SLICED;
}
