/* small_product.c: see small_product.h. */
#include "compiler/passes/products/small_product.h"

#include "compiler/analysis/product_side.h"
#include "compiler/analysis/reducer.h"
#include "compiler/ir/build.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { SMALL_SIDE = 4 }; /* most rows and columns of a matrix for which a call does not pay */

static bool is_short(const struct product_side *side)
{
    return side->contracted.count == 1 &&
           side->value->type->shape.dims[side->contracted.at[0]] <= SMALL_SIDE;
}

static bool is_small(const struct product_side *side)
{
    return side->free <= SMALL_SIDE && is_short(side);
}

/* The elements of an operand at index k of the contracted dimension, as factors of all results.
 * Dimension i of the product is dimension to[i] of `type`. */
static struct value *factor_at(struct builder *b, const struct op *dot, int which, int64_t k,
                               const struct type *type, const int64_t *to)
{
    struct value *value = dot->operands[which];
    const struct shape *shape = &value->type->shape;
    int64_t start[SHAPE_MAX_RANK], limit[SHAPE_MAX_RANK], dims[SHAPE_MAX_RANK], at[SHAPE_MAX_RANK];
    int count = 0;
    for (int i = 0; i < shape->rank; i++) {
        int dim = product_side_result_dim(dot, which, i);
        start[i] = dim < 0 ? k : 0;
        limit[i] = dim < 0 ? k + 1 : shape->dims[i];
        if (dim < 0)
            continue;
        at[count] = to[dim];
        dims[count++] = shape->dims[i];
    }
    struct value *row = build_slice(b, value, start, limit, NULL);
    row = build_convert(b, build_reshape(b, row, count, dims), type->shape.dtype);
    return build_broadcast(b, row, type, count, at);
}

static int64_t terms_of(const struct product_side *side)
{
    return dims_elements(side->value->type, side->contracted);
}

void small_product_write_out(struct module *module, struct op *dot)
{
    const struct product_side side = product_side_of(dot, 0);
    struct op *transpose = rewrite_only_transpose(&dot->results[0]),
              *replaced = transpose ? transpose : dot;
    struct builder b = {module, replaced->block, replaced, dot->location};
    const struct type *result = replaced->results[0].type;
    const struct type *type =
        type_with_dtype(module->arena, result, reducer_dtype_of_sums(result->shape.dtype));
    bool is_pred = type->shape.dtype == DTYPE_PRED;
    int64_t to[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        to[transpose ? transpose->attrs.transpose.permutation.at[i] : i] = i;
    struct value *sum = build_splat(&b, type, 0); /* as other sums, 0 where all terms are -0 */
    for (int64_t k = 0; k < terms_of(&side); k++) {
        struct value *lhs = factor_at(&b, dot, 0, k, type, to);
        struct value *rhs = factor_at(&b, dot, 1, k, type, to);
        struct value *product = build_binary(&b, is_pred ? OP_and : OP_multiply, lhs, rhs);
        if (!is_pred)
            product->def->attrs.multiply.contracts = dtype_is_float(type->shape.dtype);
        sum = build_binary(&b, is_pred ? OP_or : OP_add, sum, product);
    }
    ir_replace_uses(module, &replaced->results[0], build_convert(&b, sum, result->shape.dtype));
    if (transpose)
        ir_remove(transpose);
    ir_remove(dot);
}

/* ---- before fusion --------------------------------------------------------------------------- */
static bool has_elements(const struct op *dot)
{
    return type_elements(dot->results[0].type) && type_elements(dot->operands[0]->type);
}

static bool is_innermost_batch(const struct product_side *side)
{
    return dims_contain(side->batch, side->value->type->shape.rank - 1);
}

/* Whether lanes can be along a batching dimension of the operands and of the result's transpose. */
static bool has_inner_batches(const struct op *dot, const struct product_side *sides)
{
    const struct op *transpose = rewrite_only_transpose(&dot->results[0]);
    if (!transpose || !is_innermost_batch(&sides[0]) || !is_innermost_batch(&sides[1]))
        return false;
    const struct dims permutation = transpose->attrs.transpose.permutation;
    return permutation.at[permutation.count - 1] < sides[0].batch.count;
}

/* Whether sums of products in a type are computed in it. */
static bool is_wide(enum dtype dtype)
{
    return dtype_is_complex(dtype) ||
           ((dtype_is_float(dtype) || dtype_is_integer(dtype)) && dtype_bytes(dtype) >= 4);
}

/* Whether each element of the result is one product. */
static bool is_outer_product(const struct op *dot)
{
    struct product_side lhs = product_side_of(dot, 0);
    return terms_of(&lhs) == 1;
}

bool small_product_pays_early(const struct op *dot)
{
    if (dot->code != OP_dot_general || !has_elements(dot))
        return false;
    if (is_outer_product(dot))
        return true;
    enum dtype dtype = dot->results[0].type->shape.dtype;
    bool same = is_wide(dtype);
    struct product_side sides[2];
    for (int which = 0; which < 2; which++) {
        sides[which] = product_side_of(dot, which);
        same = same && sides[which].value->type->shape.dtype == dtype;
    }
    return same && sides[0].contracted.count == 1 && (is_small(&sides[0]) || is_small(&sides[1])) &&
           (!sides[0].batch.count || has_inner_batches(dot, sides));
}

/* ---- after fusion ---------------------------------------------------------------------------- */
static bool is_product_of_small(const struct op *dot)
{
    if (dot->code != OP_dot_general || !has_elements(dot))
        return false;
    for (int which = 0; which < 2; which++) {
        struct product_side side = product_side_of(dot, which);
        if (!side.batch.count || !is_small(&side))
            return false;
    }
    return true;
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    (void)target;
    if (op->code != OP_fusion || op->attrs.fusion.fusion_kind != FUSION_STANDALONE ||
        !is_product_of_small(op->regions[0]->first))
        return NULL;
    small_product_write_out(module, op->regions[0]->first);
    op->attrs.fusion.fusion_kind = FUSION_LOOP;
    return NULL;
}

struct error *small_product_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
