/* lower_library.c: see lower_library.h. */
#include "compiler/lower/lower_library.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/lower/lower_step.h"

struct error *lower_library_dot(struct lowerer *l, const struct op *dot, struct step *out)
{
    *out = lower_step(l, STEP_DOT, "dot_general", dot);
    if (!library_spec_dot(dot, &out->dot))
        return ERROR(INTERNAL, "%s: a dot_spec cannot describe its dimensions",
                     ir_where(l->arena, dot));
    out->slices = ARENA_ARRAY(l->arena, struct slice, 3);
    for (int which = 0; which < 2; which++)
        lower_step_add_operand(l, out, library_spec_dot_operand(dot, which));
    out->operand_count = 2;
    lower_step_add_result(l, out, &dot->results[0]);
    out->plan = l->plan_count++;
    return NULL;
}

struct step lower_library_convolution(struct lowerer *l, const struct op *convolution)
{
    struct step step = lower_step(l, STEP_CONVOLUTION, "convolution", convolution);
    int64_t first = library_spec_convolution(convolution, &step.convolution);
    int64_t skipped = first * dtype_bytes(convolution->operands[0]->type->shape.dtype);
    step.slices = ARENA_ARRAY(l->arena, struct slice, 3);
    for (int which = 0; which < 2; which++)
        lower_step_add_operand(l, &step, convolution->operands[which]);
    step.operand_count = 2;
    lower_step_add_result(l, &step, &convolution->results[0]);
    step.slices[0].offset += (uint64_t)skipped;
    step.slices[0].size -= (uint64_t)skipped;
    step.plan = l->plan_count++;
    return step;
}
