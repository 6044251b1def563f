/* lower_thin_dot.c: see lower_thin_dot.h. */
#include "compiler/lower/lower_thin_dot.h"

#include "compiler/schedule/thin_dot.h"
#include "compiler/lower/lower_step.h"

struct error *lower_thin_dot(struct lowerer *l, const struct op *fusion, struct step *out)
{
    struct thin_dot thin;
    *out = lower_step(l, STEP_THIN_DOT, "thin_dot", fusion);
    if (!thin_dot_of_fusion(fusion, &thin))
        return ERROR(INTERNAL, "%s: no thin_dot_spec describes it", ir_where(l->arena, fusion));
    out->plan = l->plan_count++;
    out->thin_dot = thin.spec;
    out->slices = ARENA_ARRAY(l->arena, struct slice, THIN_DOT_OPERANDS + 1);
    struct value *operands[THIN_DOT_OPERANDS];
    int count = thin_dot_operands(&thin, operands);
    for (int i = 0; i < count; i++)
        lower_step_add_operand(l, out, fusion->operands[operands[i]->index]);
    out->operand_count = out->slice_count;
    lower_step_add_result(l, out, &fusion->results[0]);
    return NULL;
}
