/* fusion_work.c: see fusion_work.h. */
#include "compiler/schedule/fusion_work.h"

#include "compiler/schedule/cost.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/analysis/update_window.h"
#include "compiler/schedule/eval_point.h"
#include "compiler/schedule/op_units.h"
#include "compiler/program/program.h"

/* The work of a custom call or Fourier transform for each element that it reads or writes: as much
 * as that of a sort. */
enum { CALL_ELEMENT = 20 };

/* Results that nothing uses are scratch. */
static double elements_of(const struct op *op)
{
    double elements = 0;
    for (int i = 0; i < op->operand_count; i++)
        elements += op_work_elements(op->operands[i]);
    for (int i = 0; i < op->result_count; i++)
        elements += op->results[i].uses ? op_work_elements(&op->results[i]) : 0;
    return elements;
}

/* Conversions of narrow floats. */
static double rounding(const struct value *value)
{
    enum rate rate = op_units_rounding(value->type->shape.dtype);
    return rate == RATE_FREE ? 0 : op_work_elements(value) * rates_operations(rate);
}

static double work_of_product(const struct op *op)
{
    return 2 * op_work_multiply_adds(op) + rounding(op->operands[0]) + rounding(op->operands[1]) +
           rounding(&op->results[0]);
}

/* Of an operation outside of kernels: what cost.h weighs by how fast a library computes it counts
 * in full, a custom call as much as the operations that may replace it, or that it replaces. */
static double work_alone(const struct op *op)
{
    switch (op->code) {
    case OP_dot_general:
    case OP_convolution: return work_of_product(op);
    case OP_custom_call:
    case OP_fft: return CALL_ELEMENT * elements_of(op);
    default: return cost_of_op(op);
    }
}

/* The cost of computing one element of an operation once. */
static double work_of_element(const struct op *op)
{
    double elements = op_work_elements(&op->results[0]);
    return elements < 1 ? 0 : work_alone(op) / elements;
}

/* Whether an operand is the window of an array that a fusion returns: its elements are computed as
 * those of a result. */
static bool is_returned_window(const struct op *op, int operand)
{
    const struct value *result = &op->results[0];
    return op->code == OP_dynamic_update_slice && operand == 1 && ir_has_one_use(result) &&
           result->uses->user->code == OP_return && result->uses->user->block == op->block;
}

static void note_operands(struct arena *arena, struct op *op, const struct eval_points *points)
{
    for (int i = 0; i < op->operand_count; i++) {
        struct op *def = is_returned_window(op, i) ? NULL : op->operands[i]->def;
        for (int s = 0; def && s < points->count && s < EVAL_POINT_MAX; s++) {
            struct eval_point point = eval_point_of_operand(arena, op, i, &points->at[s]);
            eval_point_add(arena, def->note, &point);
        }
    }
}

static void note_root(struct arena *arena, const struct value *result)
{
    if (!result || !result->def)
        return;
    struct eval_point point = eval_point_root(arena, result->def);
    eval_point_add(arena, result->def->note, &point);
}

void fusion_work_note(struct arena *arena, const struct op *fusion)
{
    struct block *body = fusion->regions[0];
    for (struct op *op = body->first; op; op = op->next)
        op->note = ARENA_NEW(arena, struct eval_points);
    for (int i = 0; i < body->last->operand_count; i++) {
        note_root(arena, body->last->operands[i]);
        if (update_window_op(fusion, i))
            note_root(arena, update_window_root(fusion, i));
    }
    for (struct op *op = body->last->previous; op; op = op->previous)
        note_operands(arena, op, op->note);
}

static double work_of_fusion(struct arena *arena, const struct op *fusion)
{
    const struct block *body = fusion->regions[0];
    double work = 0;
    fusion_work_note(arena, fusion);
    for (const struct op *op = body->first; op != body->last; op = op->next)
        work += eval_point_total(op->note) * work_of_element(op);
    return work;
}

bool fusion_work_has_points(const struct op *op)
{
    return op->code == OP_fusion && (op->attrs.fusion.fusion_kind == FUSION_LOOP ||
                                     op->attrs.fusion.fusion_kind == FUSION_ROWS ||
                                     op->attrs.fusion.fusion_kind == FUSION_UPDATE);
}

static double iterations(const struct op *op)
{
    int64_t trip_count = op->code == OP_while ? trip_count_after_copies(op) : 1;
    return trip_count < 0 ? PROGRAM_UNKNOWN_TRIP_COUNT : (double)trip_count;
}

static double work_of_op(struct arena *arena, const struct op *op)
{
    if (fusion_work_has_points(op))
        return work_of_fusion(arena, op);
    if (op->code != OP_fusion && !(op_info(op->code)->traits & OP_CONTROL))
        return work_alone(op);
    double work = 0;
    for (int i = 0; i < op->region_count; i++)
        work += fusion_work_of_block(arena, op->regions[i]);
    return work * iterations(op);
}

double fusion_work_of_block(struct arena *arena, const struct block *block)
{
    double work = 0;
    for (const struct op *op = block->first; op; op = op->next)
        work += work_of_op(arena, op);
    return work;
}
