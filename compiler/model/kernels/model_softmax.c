/* model_softmax.c: see model_softmax.h. */
#include "compiler/model/kernels/model_softmax.h"

#include "compiler/model/kernels/model_role.h"
#include "compiler/tiled_shape.h"

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

/* The operand that the operation computes in the kernel of the product `lead`; NULL: none. */
static const struct value *before(const struct op *op, const struct op *lead)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->def != lead && model_value(op->operands[i])->lead == lead)
            return op->operands[i];
    return NULL;
}

static const struct value *scores_of(const struct op *op)
{
    return op->operands[0]->def->operands[0];
}

/* Whether something is selected between the product and the softmax. */
static bool is_masked(const struct op *op, const struct op *lead)
{
    const struct value *value = scores_of(op);
    for (; value; value = before(value->def, lead))
        if (value->def->code == OP_select)
            return true;
    return false;
}

enum { OFTEN = 3 }; /* uses of the exponentials, if their gradient is computed, too */

static int uses_of(const struct value *value)
{
    int uses = 0;
    for (const struct use *use = value->uses; use && uses < OFTEN; use = use->next)
        uses++;
    return uses;
}

/* ---- which kernels a softmax is in ----------------------------------------------------------- */
enum form {
    NONE,     /* as other operations */
    FUSED,    /* the product's kernel writes the exponentials */
    ONLINE,   /* the product is stored, and each kernel computes the exponentials of it */
    SEPARATE, /* the product is stored as narrow as it is, and the exponentials */
    MASKED,   /* so, too; the mask and the constants are arrays */
    SCORES    /* what follows the product is stored, and the exponentials */
};

/* Whether an operand of the product is an argument in rows as wide as a vector: it is copied to
 * another order of its dimensions in the product's kernel. */
static bool is_relaid(const struct op *lead)
{
    for (int i = 0; i < lead->operand_count; i++) {
        const struct value *from = lead->operands[i];
        while (from->def && (from->def->code == OP_transpose || from->def->code == OP_convert))
            from = from->def->operands[0];
        if (!from->def)
            return true;
    }
    return false;
}

/* Products of attention in 16 bits, from dumps for v5e, v5p, v6e and 7x: rows of 512 to 8192
 * elements, contracted sizes of 64 and 128, masked and not, in one direction and with gradients.
 * On small matrix units a kernel has room for the product and the softmax, unless it also copies
 * operands to another layout. */
static enum form small_unit_form(const struct op *op, const struct op *lead)
{
    enum { LONG = 4096, SHORT = 1408, NARROW = 64, WITH_PRODUCT = 1024 * 64 };
    int64_t row = row_of(op), depth = contracted(lead);
    bool relaid = depth > NARROW && is_relaid(lead);
    if (row > SHORT)
        return row >= LONG || (relaid && is_masked(op, lead)) ? SCORES : FUSED;
    return relaid || (depth > NARROW && depth * row > WITH_PRODUCT) ? SEPARATE : FUSED;
}

static enum form large_unit_form(const struct op *op, const struct op *lead)
{
    enum { LONG = 4096, LONGEST = 6144, NARROW = 64, WITH_PRODUCT = 2048 * 128 };
    bool masked = is_masked(op, lead), trained = uses_of(&op->results[0]) >= OFTEN;
    int64_t row = row_of(op), depth = contracted(lead);
    if (!masked && !trained)
        return row < LONG || depth <= NARROW ? ONLINE : SEPARATE;
    if (row < LONG && row * depth <= WITH_PRODUCT)
        return FUSED;
    return row > LONGEST ? SCORES : masked ? MASKED : SEPARATE;
}

/* Other products: a kernel has room for short rows, but not for the product before, too. */
static enum form form_of(const struct model *model, const struct op *op)
{
    enum { LONGEST = 1024, WITH_PRODUCT = 1024 * 64, NARROW_BYTES = 2, LARGE_UNIT = 256 };
    const struct op *lead = product_of(op);
    if (!lead || scores_of(op)->def == lead)
        return NONE;
    if (lead->attrs.dot.lhs_batching_dimensions.count > 0 &&
        dtype_bytes(lead->results[0].type->shape.dtype) == NARROW_BYTES)
        return model->accelerator->matrix_unit_size >= LARGE_UNIT ? large_unit_form(op, lead)
                                                                  : small_unit_form(op, lead);
    if (lead->attrs.dot.lhs_batching_dimensions.count > 0)
        return NONE;
    return row_of(op) <= LONGEST && contracted(lead) * row_of(op) > WITH_PRODUCT ? SEPARATE : NONE;
}

void model_softmax_keep(const struct model *model, const struct op *op)
{
    enum form form = op->code == OP_exponential ? form_of(model, op) : NONE;
    if (form == NONE)
        return;
    const struct op *lead = product_of(op);
    model_value(&op->results[0])->kept = form != ONLINE;
    model_value(&op->results[0])->recomputed = form == ONLINE;
    model_value(&lead->results[0])->kept = form != FUSED && form != SCORES;
    model_value(&lead->results[0])->recomputed = form == FUSED;
    for (const struct value *at = scores_of(op); at; at = before(at->def, lead))
        model_value(at)->recomputed = form != SCORES;
}

uint64_t model_softmax_arrays(const struct model *model, const struct op *op)
{
    enum { CONSTANTS = 2 }; /* the factor, and what is masked */
    struct shape shape;
    if (op->code != OP_exponential || form_of(model, op) != MASKED)
        return 0;
    shape = op->results[0].type->shape;
    uint64_t constants = CONSTANTS * tiled_shape_bytes(model->accelerator, &shape);
    shape.dtype = DTYPE_PRED;
    return constants + tiled_shape_bytes(model->accelerator, &shape);
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
    int uses = uses_of(value);
    return value->def->code == OP_exponential &&
           (uses >= OFTEN || (uses > 1 && is_long(value->def)));
}
