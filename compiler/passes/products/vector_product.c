#include "compiler/passes/products/vector_product.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/product_side.h"
#include "compiler/analysis/reducer.h"
#include "compiler/ir/build.h"
#include "compiler/passes/products/small_product.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/access.h"
#include "compiler/schedule/short_row.h"
#include "compiler/target.h"

enum {
    FEW_PRODUCTS = 12,  /* of pairs of vectors; with more, a library is faster */
    LONG_VECTOR = 1024, /* elements of a vector that vectorized sums are fast for */
    ROW_BYTES = 96,     /* rows of integers up to here are reduced in vectors; longer ones are so
                         * whatever the operation is */
    WIDE = 64,          /* bytes of a vector for matrices of c128 */
    SHORT_C128 = 8,     /* terms of c128 in a batch, of which fewer are loaded one by one */
};

/* Replaces a transposed operand by the operand of the transpose, if the free dimensions stay in
 * order. */
static void skip_transpose(struct module *module, struct product_side *side)
{
    const struct op *transpose = side->value->def;
    int64_t last = -1;
    if (!transpose || transpose->code != OP_transpose)
        return;
    const int64_t *permutation = transpose->attrs.transpose.permutation.at;
    for (int i = 0; i < side->value->type->shape.rank; i++) {
        if (!product_side_is_free(side, i) || side->value->type->shape.dims[i] == 1)
            continue;
        if (permutation[i] < last)
            return;
        last = permutation[i];
    }
    side->value = transpose->operands[0];
    side->batch = rewrite_permuted(module, side->batch, permutation);
    side->contracted = rewrite_permuted(module, side->contracted, permutation);
}

/* Whether the elements are the same along all free dimensions: a constant, or a broadcast. */
static bool is_repeated(const struct product_side *side)
{
    const struct op *def = side->value->def;
    if (!def || side->free == 1)
        return false;
    if (constants_is_splat(side->value))
        return true;
    if (def->code != OP_broadcast_in_dim)
        return false;
    for (int i = 0; i < side->value->type->shape.rank; i++)
        if (product_side_is_free(side, i) && access_dim_of(def, 0, i) >= 0)
            return false;
    return true;
}

static bool all_are(const struct op *op, bool is_kind(enum dtype))
{
    return is_kind(op->results[0].type->shape.dtype) &&
           is_kind(op->operands[0]->type->shape.dtype) &&
           is_kind(op->operands[1]->type->shape.dtype);
}

static bool is_c128(enum dtype dtype)
{
    return dtype == DTYPE_C128;
}

/* A product of floats, of complex numbers, or of integers, which may be written as a multiplication
 * and a sum. */
static bool is_sum(const struct op *op)
{
    return op->code == OP_dot_general && type_elements(op->operands[0]->type) &&
           type_elements(op->operands[1]->type) &&
           op->attrs.dot.lhs_contracting_dimensions.count > 0 &&
           (all_are(op, dtype_is_float) || all_are(op, dtype_is_integer) ||
            all_are(op, dtype_is_complex));
}

static bool has_vector(const struct op *dot)
{
    return product_side_of(dot, 0).free == 1 || product_side_of(dot, 1).free == 1;
}

/* Whether a product is of integers of one type, of 4 bytes or more. */
static bool is_of_integers(const struct op *dot)
{
    enum dtype dtype = dot->results[0].type->shape.dtype;
    return all_are(dot, dtype_is_integer) && dtype_bytes(dtype) >= 4 &&
           dot->operands[0]->type->shape.dtype == dtype &&
           dot->operands[1]->type->shape.dtype == dtype;
}

static bool has_short_rows(const struct product_side *side)
{
    const struct shape *shape = &side->value->type->shape;
    return side->batch.count && side->contracted.count == 1 &&
           side->contracted.at[0] == shape->rank - 1 &&
           shape->dims[shape->rank - 1] >= SHORT_ROW_REDUCED &&
           shape->dims[shape->rank - 1] * dtype_bytes(shape->dtype) <= ROW_BYTES;
}

/* Whether adjacent elements of a side are of different products of a batch. */
static bool has_batch_innermost(const struct product_side *side)
{
    int last = side->value->type->shape.rank - 1;
    return dims_contain(side->batch, last) &&
           side->value->type->shape.dims[last] >= SHORT_ROW_REDUCED;
}

/* Whether sums of integers are faster as reductions: those of short rows in batches, and those of
 * columns that are each of another product. */
static bool has_integer_sums(const struct op *dot)
{
    struct product_side lhs = product_side_of(dot, 0), rhs = product_side_of(dot, 1);
    return is_of_integers(dot) && ((has_short_rows(&lhs) && has_short_rows(&rhs)) ||
                                   has_batch_innermost(lhs.free == 1 ? &rhs : &lhs));
}

/* Whether a product of c128 stays: its parts are loaded one by one in short rows of a batch, and in
 * vectors of fewer bytes than WIDE a matrix is not loaded faster than by a library. */
static bool stays_c128(const struct op *dot, const struct target *target)
{
    struct product_side lhs = product_side_of(dot, 0), rhs = product_side_of(dot, 1);
    int64_t terms = dims_elements(lhs.value->type, lhs.contracted);
    bool is_short = lhs.batch.count && terms < SHORT_C128;
    bool is_matrix = lhs.free > 1 || rhs.free > 1;
    return all_are(dot, is_c128) && (is_short || (is_matrix && target->isa.vector_bytes < WIDE));
}

/* Broadcasts the vector to the shape of the matrix. */
static struct value *broadcast_vector(struct builder *b, const struct product_side *vector,
                                      const struct product_side *matrix)
{
    struct arena *arena = b->module->arena;
    const struct type *type = vector->value->type, *wide = matrix->value->type;
    int64_t *dims = ARENA_ARRAY(arena, int64_t, type->shape.rank + 1);
    int64_t *to = ARENA_ARRAY(arena, int64_t, type->shape.rank + 1);
    int count = 0;
    for (int i = 0; i < type->shape.rank; i++) {
        if (product_side_is_free(vector, i))
            continue;
        for (int64_t k = 0; k < vector->batch.count; k++)
            if (vector->batch.at[k] == i)
                to[count] = matrix->batch.at[k];
        for (int64_t k = 0; k < vector->contracted.count; k++)
            if (vector->contracted.at[k] == i)
                to[count] = matrix->contracted.at[k];
        dims[count++] = type->shape.dims[i];
    }
    struct value *dense = build_reshape(b, vector->value, count, dims);
    return build_broadcast(b, dense, type_with_dtype(arena, wide, type->shape.dtype), count, to);
}

/* Transposes the sum, whose dimensions have the order of the matrix, to the order of the product:
 * batching, then free dimensions. */
static struct value *reorder(struct builder *b, struct value *sum,
                             const struct product_side *matrix)
{
    struct arena *arena = b->module->arena;
    int64_t *permutation = ARENA_ARRAY(arena, int64_t, sum->type->shape.rank + 1);
    int64_t *position = ARENA_ARRAY(arena, int64_t, matrix->value->type->shape.rank + 1);
    int count = 0, kept = 0;
    bool moved = false;
    for (int i = 0; i < matrix->value->type->shape.rank; i++)
        position[i] = dims_contain(matrix->contracted, i) ? -1 : kept++;
    for (int64_t i = 0; i < matrix->batch.count; i++)
        permutation[count++] = position[matrix->batch.at[i]];
    for (int i = 0; i < matrix->value->type->shape.rank; i++)
        if (product_side_is_free(matrix, i))
            permutation[count++] = position[i];
    for (int i = 0; i < count; i++)
        moved |= permutation[i] != i;
    return moved ? build_transpose(b, sum, permutation) : sum;
}

static void rewrite(struct module *module, struct op *dot)
{
    struct builder b = {module, dot->block, dot, dot->location};
    struct product_side sides[2] = {product_side_of(dot, 0), product_side_of(dot, 1)};
    const struct type *type = dot->results[0].type;
    for (int which = 0; which < 2; which++)
        skip_transpose(module, &sides[which]);
    int large = sides[0].free == 1 ? 1 : 0;
    struct product_side *matrix = &sides[large], *vector = &sides[1 - large];
    enum dtype wide = reducer_dtype_of_sums(type->shape.dtype);
    struct value *factor = build_convert(&b, broadcast_vector(&b, vector, matrix), wide);
    struct value *product =
        build_binary(&b, OP_multiply, build_convert(&b, matrix->value, wide), factor);
    product->def->attrs.multiply.contracts = !dtype_is_integer(wide);
    struct value *sum = build_reduce(&b, product, build_scalar(&b, wide, 0), OP_add,
                                     (int)matrix->contracted.count, matrix->contracted.at);
    sum = build_convert(&b, reorder(&b, sum, matrix), type->shape.dtype);
    ir_replace_uses(module, &dot->results[0],
                    build_reshape(&b, sum, type->shape.rank, type->shape.dims));
    ir_remove(dot);
}

/* ---- repeated vectors ------------------------------------------------------------------------ */
/* The repeated operand with all free dimensions of size 1. */
static struct value *once(struct builder *b, const struct product_side *side)
{
    const struct op *def = side->value->def;
    const struct type *type = side->value->type;
    int64_t *dims = ARENA_ARRAY(b->module->arena, int64_t, type->shape.rank + 1);
    for (int i = 0; i < type->shape.rank; i++)
        dims[i] = product_side_is_free(side, i) ? 1 : type->shape.dims[i];
    type = type_with_dims(b->module->arena, type, type->shape.rank, dims);
    if (def->code == OP_constant)
        return build_splat_like(b, side->value, &type->shape);
    const struct dims to = def->attrs.broadcast_in_dim.broadcast_dimensions;
    return build_broadcast(b, def->operands[0], type, (int)to.count, to.at);
}

/* Replaces a product with a repeated operand by the broadcast of one with the vector, which it
 * returns: the gradient of a sum of products has such operands. */
static struct op *multiply_once(struct module *module, struct op *dot)
{
    struct builder b = {module, dot->block, dot, dot->location};
    const struct type *type = dot->results[0].type;
    struct value *operands[2];
    int64_t *all = ARENA_ARRAY(module->arena, int64_t, type->shape.rank + 1);
    int64_t *dims = ARENA_ARRAY(module->arena, int64_t, type->shape.rank + 1);
    int64_t rank = dot->attrs.dot.lhs_batching_dimensions.count;
    for (int i = 0; i < type->shape.rank; i++) {
        all[i] = i;
        dims[i] = type->shape.dims[i];
    }
    for (int which = 0; which < 2; which++) {
        struct product_side side = product_side_of(dot, which);
        bool repeated = is_repeated(&side);
        operands[which] = repeated ? once(&b, &side) : side.value;
        for (int i = 0; i < side.value->type->shape.rank; i++)
            if (product_side_is_free(&side, i))
                dims[rank++] = repeated ? 1 : side.value->type->shape.dims[i];
    }
    const struct type *narrow = type_with_dims(module->arena, type, type->shape.rank, dims);
    struct value *product = build_declared(&b, OP_dot_general, 2, operands, narrow, &dot->attrs);
    ir_replace_uses(module, &dot->results[0],
                    build_broadcast(&b, product, type, type->shape.rank, all));
    ir_remove(dot);
    return product->def;
}

static bool has_repeated(const struct op *dot)
{
    struct product_side lhs = product_side_of(dot, 0), rhs = product_side_of(dot, 1);
    return is_repeated(&lhs) || is_repeated(&rhs);
}

/* ---- few long vectors ------------------------------------------------------------------------ */
/* Whether a side is long vectors, each contiguous, behind the batching dimensions. */
static bool is_long(const struct product_side *side)
{
    const struct type *type = side->value->type;
    int64_t last = type->shape.rank - 1;
    for (int64_t i = 0; i < side->batch.count; i++)
        if (side->batch.at[i] != i)
            return false;
    return side->contracted.count == 1 && side->contracted.at[0] == last &&
           type->shape.dims[last] >= LONG_VECTOR;
}

/* Sets both sides. Their products are all scalar products of a few vectors. */
static bool has_few_long(struct module *module, const struct op *dot, struct product_side *sides)
{
    enum dtype dtype = dot->results[0].type->shape.dtype;
    bool found = dtype_bytes(dtype) >= 4 && (dtype_is_float(dtype) || dtype_is_integer(dtype));
    for (int which = 0; which < 2; which++) {
        sides[which] = product_side_of(dot, which);
        skip_transpose(module, &sides[which]);
        found = found && sides[which].value->type->shape.dtype == dtype && is_long(&sides[which]);
    }
    return found && sides[0].free * sides[1].free <= FEW_PRODUCTS;
}

/* A side's vectors as terms of all sums: `first` is its first free dimension among `type`'s. */
static struct value *broadcast_terms(struct builder *b, const struct product_side *side, int first,
                                     const struct type *type)
{
    int rank = side->value->type->shape.rank, batches = (int)side->batch.count;
    int64_t *to = ARENA_ARRAY(b->module->arena, int64_t, rank + 1);
    for (int i = 0; i < rank; i++)
        to[i] = i < batches ? i : i - batches + first;
    to[rank - 1] = type->shape.rank - 1;
    return build_broadcast(b, side->value, type, rank, to);
}

/* The terms have the dimensions of the product, then the summed one. */
static void rewrite_few(struct module *module, struct op *dot, const struct product_side *sides)
{
    struct builder b = {module, dot->block, dot, dot->location};
    const struct type *type = dot->results[0].type, *lhs = sides[0].value->type;
    int64_t rank = type->shape.rank, *dims = ARENA_ARRAY(module->arena, int64_t, rank + 1);
    for (int i = 0; i < rank; i++)
        dims[i] = type->shape.dims[i];
    dims[rank] = lhs->shape.dims[lhs->shape.rank - 1];
    type = type_with_dims(module->arena, type, (int)rank + 1, dims);
    struct value *terms[] = {
        broadcast_terms(&b, &sides[0], (int)sides[0].batch.count, type),
        broadcast_terms(&b, &sides[1], lhs->shape.rank - 1, type),
    };
    struct value *product = build_binary(&b, OP_multiply, terms[0], terms[1]);
    product->def->attrs.multiply.contracts = dtype_is_float(type->shape.dtype);
    struct value *zero = build_scalar(&b, type->shape.dtype, 0);
    ir_replace_uses(module, &dot->results[0], build_reduce(&b, product, zero, OP_add, 1, &rank));
    ir_remove(dot);
}

static struct error *rewrite_op(struct module *module, struct op *op, const struct target *target)
{
    struct product_side sides[2];
    bool sums = is_sum(op), floats = sums && !all_are(op, dtype_is_integer);
    if ((floats || (sums && has_integer_sums(op))) && has_vector(op) && !stays_c128(op, target))
        rewrite(module, op);
    else if (floats && has_repeated(op))
        rewrite(module, multiply_once(module, op));
    else if (sums && has_few_long(module, op, sides))
        rewrite_few(module, op, sides);
    else if (small_product_pays_early(op))
        small_product_write_out(module, op);
    return NULL;
}

struct error *vector_product_run(struct module *module, const struct target *target)
{
    return each_op_again(module, target, rewrite_op);
}
