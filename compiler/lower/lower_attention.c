/* lower_attention.c: see lower_attention.h. */
#include "compiler/lower/lower_attention.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/lower/kernel_merge.h"
#include "compiler/lower/lower_kernel.h"
#include "compiler/lower/lower_step.h"
#include "compiler/plan/attention_parts.h"

/* The step's number for the left side of a product is 0, whose sides may have been swapped. */
static void add_products(struct lowerer *l, const struct op *attention,
                         const struct attention_parts *parts, bool swaps, struct step *step)
{
    const struct value *queries = library_spec_dot_operand(parts->scores, swaps),
                       *keys = library_spec_dot_operand(parts->scores, !swaps),
                       *values = library_spec_dot_operand(parts->values, !parts->weights_operand);
    lower_step_add_argument(l, step, attention, queries);
    lower_step_add_argument(l, step, attention, keys);
    lower_step_add_argument(l, step, attention, values);
}

static void add_slices(struct lowerer *l, const struct op *attention,
                       const struct attention_parts *parts, bool swaps, struct step *step)
{
    int others = step->attention.kernel_operands;
    step->slices = ARENA_ARRAY(l->arena, struct slice, others + 4);
    add_products(l, attention, parts, swaps, step);
    for (int i = 0; i < parts->weights->operand_count; i++)
        if (i != parts->scores_operand)
            lower_step_add_argument(l, step, attention, parts->weights->operands[i]);
    step->operand_count = step->slice_count;
    lower_step_add_result(l, step, &attention->results[0]);
}

struct error *lower_attention(struct lowerer *l, const struct op *attention, struct step *out)
{
    const struct attention_parts parts = attention_parts(attention);
    bool swaps;
    *out = lower_step(l, STEP_ATTENTION, "attention", attention);
    if (!attention_parts_spec(&parts, &out->attention, &swaps))
        return ERROR(INTERNAL, "%s: no attention_spec describes it", ir_where(l->arena, attention));
    add_slices(l, attention, &parts, swaps, out);
    out->attention.kernel =
        kernel_merge_exact_index(l, parts.weights, lower_kernel_tier(l, parts.weights));
    out->plan = l->plan_count++;
    return NULL;
}
