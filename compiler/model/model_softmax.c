/* model_softmax.c: see model_softmax.h. */
#include "compiler/model/model_softmax.h"

#include "compiler/model/model_role.h"

static int64_t contracted(const struct op *dot)
{
    return dims_elements(dot->operands[0]->type, dot->attrs.dot.lhs_contracting_dimensions);
}

/* The product whose rows `op` is the exponentials of, without their largest ones; NULL: none. */
static const struct op *product_of(const struct op *op)
{
    const struct op *difference = op->operand_count ? op->operands[0]->def : NULL;
    if (op->code != OP_exponential || op->results[0].type->shape.rank < 2 || !difference ||
        difference->code != OP_subtract)
        return NULL;
    const struct op *lead = model_value(difference->operands[0])->lead;
    return lead && lead->block == op->block && lead->code == OP_dot_general ? lead : NULL;
}

static int64_t row_of(const struct op *op)
{
    const struct shape *shape = &op->results[0].type->shape;
    return shape->dims[shape->rank - 1];
}

/* The scores of a softmax, if `op` is its exponential and a kernel has room for its rows, but not
 * for the product before it, too; NULL otherwise. */
static const struct value *scores_of(const struct op *op)
{
    enum { LONGEST = 1024, WITH_PRODUCT = 1024 * 64 };
    const struct op *lead = product_of(op);
    if (!lead || op->operands[0]->def->operands[0]->def == lead || row_of(op) > LONGEST)
        return NULL;
    return contracted(lead) * row_of(op) > WITH_PRODUCT ? op->operands[0]->def->operands[0] : NULL;
}

/* Attention that is not trained has its product and softmax in one kernel up to rows of 2048
 * elements, and in two from 4096. */
static bool is_long(const struct op *op)
{
    enum { LONG = 4096 };
    const struct op *lead = product_of(op);
    return lead && lead->attrs.dot.lhs_batching_dimensions.count > 0 && row_of(op) >= LONG;
}

/* Dumps of trained softmax and attention show exponentials stored; those of training steps with
 * `gelu`, `tanh` and `silu` show other functions computed again by each kernel. */
bool model_softmax_is_stored(const struct value *value)
{
    enum { OFTEN = 3 };
    int uses = 0;
    for (const struct use *use = value->uses; use && uses < OFTEN; use = use->next)
        uses++;
    return value->def->code == OP_exponential &&
           (uses >= OFTEN || (uses > 1 && is_long(value->def)));
}

/* The operand that the operation computes in the kernel of the product `lead`; NULL: none. */
static const struct value *before(const struct op *op, const struct op *lead)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->def != lead && model_value(op->operands[i])->lead == lead)
            return op->operands[i];
    return NULL;
}

void model_softmax_keep(const struct op *op)
{
    const struct value *scores = scores_of(op);
    if (!scores)
        return;
    const struct op *lead = model_value(scores)->lead;
    model_value(&lead->results[0])->kept = true;
    model_value(&op->results[0])->kept = true;
    for (; scores; scores = before(scores->def, lead))
        model_value(scores)->recomputed = true;
}
