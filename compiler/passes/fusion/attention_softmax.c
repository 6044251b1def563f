/* attention_softmax.c: see attention_softmax.h. */
#include "compiler/passes/fusion/attention_softmax.h"

#include "compiler/analysis/row_map.h"
#include "compiler/passes/rewrite/rewrite.h"

static bool is_rounding(const struct op *op)
{
    return op && op->code == OP_convert && dtype_is_float(op->operands[0]->type->shape.dtype) &&
           dtype_is_float(op->results[0].type->shape.dtype);
}

/* The float that a value is, in the same or another type. */
static const struct value *unrounded(const struct value *value)
{
    while (is_rounding(value->def))
        value = value->def->operands[0];
    return value;
}

/* The operand of a reduction of rows, whose value may be spread over them again; else NULL. */
static const struct value *reduced(const struct value *value, enum op_code code)
{
    while (value->def && (value->def->code == OP_broadcast_in_dim ||
                          value->def->code == OP_reshape || is_rounding(value->def)))
        value = value->def->operands[0];
    const struct value *terms = row_map_reduced(value, code);
    return terms ? unrounded(terms) : NULL;
}

struct op *attention_softmax_defined_by(const struct value *value, enum op_code code)
{
    value = unrounded(value);
    return value->def && value->def->code == code ? value->def : NULL;
}

/* s - max(s), of a quotient; NULL: it is something else. */
static struct op *shifted_of(const struct op *quotient)
{
    const struct op *power = attention_softmax_defined_by(quotient->operands[0], OP_exponential);
    return power ? attention_softmax_defined_by(power->operands[0], OP_subtract) : NULL;
}

struct op *attention_softmax_quotient(const struct op *fusion)
{
    struct op *quotient =
        attention_softmax_defined_by(fusion->regions[0]->last->operands[0], OP_divide);
    const struct op *shifted = quotient ? shifted_of(quotient) : NULL;
    if (!shifted || reduced(quotient->operands[1], OP_add) != unrounded(quotient->operands[0]) ||
        reduced(shifted->operands[1], OP_maximum) != unrounded(shifted->operands[0]))
        return NULL;
    return quotient;
}

struct value *attention_softmax_input(const struct op *quotient)
{
    return shifted_of(quotient)->operands[0];
}

/* Whether the largest exponential is that of zero, and the sum is not rounded: differences with a
 * rounded maximum may be large numbers. */
static bool is_exact(const struct op *quotient)
{
    const struct op *shifted = shifted_of(quotient);
    return quotient->operands[1]->type->shape.dtype == DTYPE_F32 &&
           shifted->results[0].type->shape.dtype == DTYPE_F32 &&
           row_map_reduced(shifted->operands[1], OP_maximum) == shifted->operands[0];
}

void attention_softmax_multiply(struct module *module, struct op *fusion)
{
    struct op *quotient = attention_softmax_quotient(fusion);
    struct op *spread = quotient ? quotient->operands[1]->def : NULL;
    if (!spread || spread->code != OP_broadcast_in_dim || !is_exact(quotient))
        return;
    struct builder b = rewrite_before(module, quotient);
    struct value *sum = spread->operands[0];
    struct value *reciprocal = build_binary(&b, OP_divide, build_splat(&b, sum->type, 1), sum);
    struct value *factor = build_declared(&b, OP_broadcast_in_dim, 1, &reciprocal,
                                          spread->results[0].type, &spread->attrs);
    struct value *product = build_binary(&b, OP_multiply, quotient->operands[0], factor);
    ir_replace_uses(module, &quotient->results[0], product);
    ir_remove(quotient);
    if (!spread->results[0].uses)
        ir_remove(spread);
}
