/* lower_attention_backward.c: see lower_attention_backward.h. */
#include "compiler/lower/lower_attention_backward.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/lower/kernel_merge.h"
#include "compiler/lower/lower_kernel.h"
#include "compiler/lower/lower_step.h"
#include "compiler/plan/attention_backward_parts.h"
#include "compiler/program/attention_backward_spec.h"

static void add_side(struct lowerer *l, const struct op *fusion, const struct op *product, int side,
                     struct step *step)
{
    lower_step_add_argument(l, step, fusion, library_spec_dot_operand(product, side));
}

static void add_products(struct lowerer *l, const struct op *fusion,
                         const struct attention_backward_parts *parts, struct step *step)
{
    add_side(l, fusion, parts->scores, parts->scores_left, step);
    add_side(l, fusion, parts->scores, !parts->scores_left, step);
    add_side(l, fusion, parts->change, parts->change_left, step);
    add_side(l, fusion, parts->change, !parts->change_left, step);
    add_side(l, fusion, parts->to_values, !parts->values_left, step);
    add_side(l, fusion, parts->to_queries, !parts->queries_left, step);
    add_side(l, fusion, parts->to_keys, !parts->keys_left, step);
}

/* Adds the operands of a kernel that are arguments of the region, and not results of its parts. */
static void add_others(struct lowerer *l, const struct op *fusion, const struct op *kernel,
                       struct step *step)
{
    for (int i = 0; i < kernel->operand_count; i++)
        if (!kernel->operands[i]->def)
            lower_step_add_argument(l, step, fusion, kernel->operands[i]);
}

struct error *lower_attention_backward(struct lowerer *l, const struct op *fusion, struct step *out)
{
    struct attention_backward_parts parts = attention_backward_parts(fusion);
    struct attention_backward_spec *spec = &out->attention_backward;
    *out = lower_step(l, STEP_ATTENTION_BACKWARD, "attention_backward", fusion);
    if (!attention_backward_parts_spec(&parts, spec))
        return ERROR(INTERNAL, "%s: no attention_backward_spec describes it",
                     ir_where(l->arena, fusion));
    out->slices = ARENA_ARRAY(l->arena, struct slice, attention_backward_spec_slices(spec));
    add_products(l, fusion, &parts, out);
    add_others(l, fusion, parts.weights, out);
    add_others(l, fusion, parts.gradient, out);
    out->operand_count = out->slice_count;
    for (int i = 0; i < ATTENTION_BACKWARD_RESULTS; i++)
        lower_step_add_result(l, out, &fusion->results[i]);
    spec->weights_kernel =
        kernel_merge_exact_index(l, parts.weights, lower_kernel_tier(l, parts.weights));
    spec->gradient_kernel =
        kernel_merge_exact_index(l, parts.gradient, lower_kernel_tier(l, parts.gradient));
    out->plan = l->plan_count++;
    return NULL;
}
