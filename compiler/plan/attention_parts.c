/* attention_parts.c: see attention_parts.h. */
#include "compiler/plan/attention_parts.h"

#include "compiler/analysis/library_spec.h"
#include "compiler/analysis/row_map.h"
#include "compiler/program/attention_spec.h"

static bool is_fusion(const struct op *op, enum fusion_kind kind)
{
    return op && op->code == OP_fusion && op->attrs.fusion.fusion_kind == kind;
}

struct op *attention_parts_source(const struct value *value)
{
    while (value->def && value->def->code == OP_reshape)
        value = value->def->operands[0];
    return value->def;
}

bool attention_parts_is_between(const struct op *op, enum fusion_kind kind)
{
    return is_fusion(op, kind) && op->result_count == 1 && ir_has_one_use(&op->results[0]) &&
           op->operand_count <= ATTENTION_MAX_OPERANDS;
}

bool attention_parts_find(struct op *values, enum fusion_kind kind, struct attention_parts *out)
{
    for (int side = 0; side < 2; side++) {
        struct op *weights = attention_parts_source(library_spec_dot_operand(values, side));
        if (!attention_parts_is_between(weights, kind))
            continue;
        for (int i = 0; i < weights->operand_count; i++) {
            struct op *scores = attention_parts_source(weights->operands[i]);
            *out = (struct attention_parts){scores, weights, values, i, side, -1};
            if (library_spec_is_product(scores) && row_map_is(weights, UINT64_C(1) << i))
                return true;
        }
    }
    return false;
}

struct attention_parts attention_parts(const struct op *attention)
{
    struct attention_parts parts;
    attention_parts_find(attention->regions[0]->last->operands[0]->def, FUSION_ROWS, &parts);
    int last = parts.weights->operand_count - 1;
    if (!parts.weights->regions[0]->arguments[last].uses) /* attention_mask_add() */
        parts.mask_operand = last;
    return parts;
}

/* The number of an operand among those that are not the scores. */
static int other_operand(const struct attention_parts *parts, int operand)
{
    return operand > parts->scores_operand ? operand - 1 : operand;
}

/* Divides the rows of a product into `outer` groups of those of another one; false if they are not
 * as many. */
static bool divide_rows(struct dot_spec *s, const struct dot_spec *other)
{
    if (s->outer != 1 || other->outer == 1 || s->m != other->outer * other->m)
        return false;
    s->outer = other->outer, s->m = other->m;
    s->lhs_outer_stride = s->m * s->lhs_m_stride;
    s->rhs_outer_stride = 0;
    s->out_outer_stride = s->m * s->out_m_stride;
    return true;
}

static void exchange(int64_t *a, int64_t *b)
{
    int64_t of_a = *a;
    *a = *b, *b = of_a;
}

static void exchange_batches(struct dot_spec *s)
{
    exchange(&s->outer, &s->batch);
    exchange(&s->lhs_outer_stride, &s->lhs_batch_stride);
    exchange(&s->rhs_outer_stride, &s->rhs_batch_stride);
    exchange(&s->out_outer_stride, &s->out_batch_stride);
}

/* Gives both products the same rows, in the order of the scores in memory: where several heads of
 * queries share keys and values, these are rows of one product, and of the other an additional
 * dimension. */
static void match_rows(struct dot_spec *scores, struct dot_spec *values)
{
    if (!divide_rows(scores, values))
        divide_rows(values, scores);
    if (scores->outer > 1 && scores->batch > 1 &&
        scores->out_batch_stride > scores->out_outer_stride) {
        exchange_batches(scores);
        exchange_batches(values);
    }
}

bool attention_parts_spec(const struct attention_parts *parts, struct attention_spec *out,
                          bool *swaps)
{
    *out = (struct attention_spec){.kernel_operands = parts->weights->operand_count - 1,
                                   .scores_operand = parts->scores_operand,
                                   .mask_operand = other_operand(parts, parts->mask_operand)};
    if (parts->mask_operand >= 0)
        out->mask_rows = type_elements(parts->weights->operands[parts->mask_operand]->type);
    if (!library_spec_dot(parts->scores, &out->scores) ||
        !library_spec_dot(parts->values, &out->values))
        return false;
    if (out->scores.out == out->scores.lhs)
        out->scores.out = DTYPE_F32; /* attention_scores.h */
    *swaps = out->scores.out_n_stride != 1 && out->scores.n != 1;
    if (*swaps)
        library_spec_swap(&out->scores);
    if (parts->weights_operand == 1)
        library_spec_swap(&out->values);
    match_rows(&out->scores, &out->values);
    const struct shape *shape = &parts->weights->results[0].type->shape;
    return attention_spec_is_supported(out) && shape->dims[shape->rank - 1] == out->scores.n;
}

/* ---- whether they become a step -------------------------------------------------------------- */
