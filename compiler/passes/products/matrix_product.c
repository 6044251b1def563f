/* matrix_product.c: see matrix_product.h. */
#include "compiler/passes/products/matrix_product.h"

#include <math.h>

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MIN_FREE = 8,           /* least elements of a factor for each summed one */
    MIN_SUMMED = 32,        /* least terms of a sum */
    MIN_PRODUCTS = 16 << 10 /* fewer take about as long as the call of a library */
};

/* A factor of the terms. Dimensions of size 1 are left out of it and of all lists here. */
struct factor {
    struct value *value; /* that is broadcast */
    int count;
    int64_t to[SHAPE_MAX_RANK]; /* the dimension of the terms for each of its own */
    int64_t dims[SHAPE_MAX_RANK];
    int64_t free; /* product of the sizes of the dimensions that are not summed */
};

static int position_of(const struct factor *factor, int64_t dim)
{
    for (int i = 0; i < factor->count; i++)
        if (factor->to[i] == dim)
            return i;
    return -1;
}

/* Describes a broadcast operand of the multiplication; false for other operands. */
static bool read_factor(const struct value *operand, struct dims summed, struct factor *factor)
{
    const struct op *op = operand->def;
    if (!op || op->code != OP_broadcast_in_dim)
        return false;
    *factor = (struct factor){.value = op->operands[0], .free = 1};
    const struct shape *shape = &factor->value->type->shape;
    for (int i = 0; i < shape->rank; i++) {
        int64_t to = op->attrs.broadcast_in_dim.broadcast_dimensions.at[i];
        if (shape->dims[i] == 1)
            continue;
        factor->to[factor->count] = to;
        factor->dims[factor->count++] = shape->dims[i];
        if (!dims_contain(summed, to))
            factor->free *= shape->dims[i];
    }
    return true;
}

/* Whether both factors have each summed dimension and one of them each other one. */
static bool is_contraction(const struct shape *terms, struct dims summed,
                           const struct factor *factors)
{
    for (int i = 0; i < terms->rank; i++) {
        int owners = (position_of(&factors[0], i) >= 0) + (position_of(&factors[1], i) >= 0);
        if (terms->dims[i] != 1 && owners != (dims_contain(summed, i) ? 2 : 1))
            return false;
    }
    return true;
}

/* Whether an operation is the sum of one operand, starting from +0. */
static bool is_sum(const struct op *op)
{
    if (op->code != OP_reduce || reducer_of(op) != OP_add)
        return false;
    const struct literal *start = constants_literal(op->operands[1]);
    return start && constants_is_splat_of(op->operands[1], 0) &&
           !signbit(dtype_to_double(start->type->shape.dtype, start->bytes));
}

/* Reads the factors of the terms that `op` sums; false where a product is not faster. */
static bool read_factors(const struct op *op, struct factor *factors)
{
    if (!is_sum(op))
        return false;
    const struct op *terms = op->operands[0]->def;
    const struct shape *shape = &op->operands[0]->type->shape;
    struct dims summed = op->attrs.dimensions.dimensions;
    if ((shape->dtype != DTYPE_F32 && shape->dtype != DTYPE_F64) || !terms ||
        terms->code != OP_multiply || !ir_has_one_use(&terms->results[0]) ||
        !read_factor(terms->operands[0], summed, &factors[0]) ||
        !read_factor(terms->operands[1], summed, &factors[1]))
        return false;
    int64_t count = dims_elements(op->operands[0]->type, summed);
    return count >= MIN_SUMMED && factors[0].free >= MIN_FREE && factors[1].free >= MIN_FREE &&
           type_elements(terms->results[0].type) >= MIN_PRODUCTS &&
           is_contraction(shape, summed, factors);
}

/* The product, whose dimensions are those of the first factor, then those of the second. */
static struct value *product_of(struct builder *b, const struct shape *terms, struct dims summed,
                                const struct factor *factors)
{
    int64_t contracted[2][SHAPE_MAX_RANK], count = 0;
    struct value *operands[2];
    for (int i = 0; i < terms->rank; i++) {
        if (!dims_contain(summed, i) || terms->dims[i] == 1)
            continue;
        contracted[0][count] = position_of(&factors[0], i);
        contracted[1][count++] = position_of(&factors[1], i);
    }
    for (int i = 0; i < 2; i++)
        operands[i] = build_reshape(b, factors[i].value, factors[i].count, factors[i].dims);
    union attrs attrs = {
        .dot = {.lhs_contracting_dimensions = rewrite_dims(b->module, contracted[0], count),
                .rhs_contracting_dimensions = rewrite_dims(b->module, contracted[1], count)}};
    return build_declared(b, OP_dot_general, 2, operands, NULL, &attrs);
}

/* Transposes the product to the order of the dimensions of the terms. */
static struct value *in_order(struct builder *b, struct value *product, const struct shape *terms,
                              struct dims summed, const struct factor *factors)
{
    int64_t permutation[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK], count = 0, kept = 0;
    bool is_moved = false;
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < factors[k].count; i++)
            if (!dims_contain(summed, factors[k].to[i]))
                at[factors[k].to[i]] = count++;
    for (int i = 0; i < terms->rank; i++) {
        if (dims_contain(summed, i) || terms->dims[i] == 1)
            continue;
        is_moved |= at[i] != kept;
        permutation[kept++] = at[i];
    }
    return is_moved ? build_transpose(b, product, permutation) : product;
}

/* Removes the sum, its terms, and their broadcast factors where nothing else uses them. */
static void remove_terms(struct op *sum)
{
    struct op *terms = sum->operands[0]->def;
    struct op *broadcasts[] = {terms->operands[0]->def, terms->operands[1]->def};
    ir_remove(sum);
    ir_remove(terms);
    for (int i = 0; i < 2; i++)
        if (!broadcasts[i]->results[0].uses)
            ir_remove(broadcasts[i]);
}

static struct error *rewrite(struct module *module, struct op *sum, const struct target *target)
{
    struct factor factors[2];
    (void)target;
    if (!read_factors(sum, factors))
        return NULL;
    struct builder b = rewrite_before(module, sum);
    const struct shape *terms = &sum->operands[0]->type->shape,
                       *shape = &sum->results[0].type->shape;
    struct dims summed = sum->attrs.dimensions.dimensions;
    struct value *product = product_of(&b, terms, summed, factors);
    product = in_order(&b, product, terms, summed, factors);
    ir_replace_uses(module, &sum->results[0], build_reshape(&b, product, shape->rank, shape->dims));
    remove_terms(sum);
    return NULL;
}

struct error *matrix_product_run(struct module *module, const struct target *target)
{
    return each_op(module, target, rewrite);
}
