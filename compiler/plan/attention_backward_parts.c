/* attention_backward_parts.c: see attention_backward_parts.h. */
#include "compiler/plan/attention_backward_parts.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/program/attention_backward_spec.h"

/* The specification of a product that writes rows: the left side has the rows. */
static bool spec_of_rows(const struct op *product, struct dot_spec *out, int *left)
{
    if (!library_spec_dot(product, out))
        return false;
    *left = out->out_n_stride != 1 && out->n != 1;
    if (*left)
        library_spec_swap(out);
    return true;
}

struct value *attention_backward_parts_rounded(struct value *rows)
{
    for (const struct use *use = rows->uses; use; use = use->next)
        if (use->user->code == OP_convert && rows->def && use->user->block == rows->def->block &&
            use->user->results[0].type->shape.dtype == DTYPE_BF16)
            return &use->user->results[0];
    return rows;
}

bool attention_backward_parts_product(const struct op *product, const struct value *rows,
                                      struct dot_spec *out, int *left)
{
    *left = library_spec_dot_operand(product, 0) != rows;
    if (!library_spec_dot(product, out) || library_spec_dot_operand(product, *left) != rows)
        return false;
    if (*left)
        library_spec_swap(out);
    return true;
}

static void set_operands(const struct attention_backward_parts *parts,
                         struct attention_backward_spec *out)
{
    const struct op *weights = parts->weights, *gradient = parts->gradient;
    out->weights_others = weights->operand_count - 1;
    out->scores_operand = ir_operand_of(weights, &parts->scores->results[0]);
    out->gradient_others = gradient->operand_count - 2;
    out->weights_operand = ir_operand_of(gradient, &weights->results[0]);
    out->change_operand = ir_operand_of(gradient, &parts->change->results[0]);
    out->mask_operand = parts->mask_operand - (parts->mask_operand > out->scores_operand);
    if (parts->mask_operand >= 0)
        out->mask_rows = type_elements(weights->operands[parts->mask_operand]->type);
}

bool attention_backward_parts_spec(struct attention_backward_parts *parts,
                                   struct attention_backward_spec *out)
{
    const struct value *weights = attention_backward_parts_rounded(&parts->weights->results[0]),
                       *gradient = attention_backward_parts_rounded(&parts->gradient->results[0]);
    *out = (struct attention_backward_spec){0};
    set_operands(parts, out);
    return parts->weights->results[0].type->shape.dtype == DTYPE_F32 &&
           parts->gradient->results[0].type->shape.dtype == DTYPE_F32 &&
           spec_of_rows(parts->scores, &out->scores, &parts->scores_left) &&
           spec_of_rows(parts->change, &out->change, &parts->change_left) &&
           attention_backward_parts_product(parts->to_values, weights, &out->to_values,
                                            &parts->values_left) &&
           attention_backward_parts_product(parts->to_queries, gradient, &out->to_queries,
                                            &parts->queries_left) &&
           attention_backward_parts_product(parts->to_keys, gradient, &out->to_keys,
                                            &parts->keys_left) &&
           attention_backward_spec_is_supported(out);
}

struct attention_backward_parts attention_backward_parts_of(struct op *const *ops)
{
    return (struct attention_backward_parts){.scores = ops[0],
                                             .weights = ops[1],
                                             .change = ops[2],
                                             .gradient = ops[3],
                                             .to_values = ops[4],
                                             .to_queries = ops[5],
                                             .to_keys = ops[6],
                                             .mask_operand = -1};
}

struct attention_backward_parts attention_backward_parts(const struct op *fusion)
{
    struct op *ops[ATTENTION_BACKWARD_PARTS], *op = fusion->regions[0]->first;
    for (int i = 0; i < ATTENTION_BACKWARD_PARTS; op = op->next)
        if (op->code != OP_convert)
            ops[i++] = op;
    struct attention_backward_parts parts = attention_backward_parts_of(ops);
    int last = parts.weights->operand_count - 1;
    if (!parts.weights->regions[0]->arguments[last].uses) /* attention_mask_add() */
        parts.mask_operand = last;
    return parts;
}
