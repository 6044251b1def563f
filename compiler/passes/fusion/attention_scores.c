/* attention_scores.c: see attention_scores.h. */
#include "compiler/passes/fusion/attention_scores.h"

#include "compiler/passes/rewrite/rewrite.h"

static void set_f32(struct module *module, struct value *value)
{
    value->type = type_with_dtype(module->arena, value->type, DTYPE_F32);
}

/* The results of a dot_general, or of all operations of a FUSION_DOT. */
static void widen_product(struct module *module, struct op *product)
{
    if (product->code == OP_fusion)
        for (struct op *op = product->regions[0]->first; op->result_count; op = op->next)
            set_f32(module, &op->results[0]);
    set_f32(module, &product->results[0]);
}

/* Replaces the conversions of `rounded` to f32 by what it was rounded from. */
static void drop_conversions(struct module *module, struct value *rounded)
{
    for (struct op *next, *op = rounded->def->next; op; op = next) {
        next = op->next;
        if (op->code != OP_convert || op->operands[0] != rounded ||
            op->results[0].type->shape.dtype != DTYPE_F32)
            continue;
        ir_replace_uses(module, &op->results[0], rounded->def->operands[0]);
        ir_remove(op);
    }
    if (!rounded->uses)
        ir_remove(rounded->def);
}

/* Makes an argument of a region f32, and rounds it there. */
static struct value *widen_argument(struct module *module, struct block *body,
                                    struct value *argument)
{
    const enum dtype narrow = argument->type->shape.dtype;
    struct builder b = rewrite_before(module, body->first);
    set_f32(module, argument);
    struct value *rounded = build_convert(&b, argument, narrow);
    ir_replace_uses(module, argument, rounded);
    ir_set_operand(module, rounded->def, 0, argument);
    return rounded;
}

void attention_scores_widen(struct module *module, struct op *scores, struct op *fusion,
                            int operand, bool excess)
{
    struct value *value = fusion->operands[operand];
    if (value->type->shape.dtype == DTYPE_F32)
        return;
    for (; value->def != scores; value = value->def->operands[0])
        set_f32(module, value);
    widen_product(module, scores);
    struct block *body = fusion->regions[0];
    struct value *rounded = widen_argument(module, body, &body->arguments[operand]);
    if (excess)
        drop_conversions(module, rounded);
}
