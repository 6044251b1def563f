/* reduce_split.c: see reduce_split.h. */
#include "compiler/passes/reduce/reduce_split.h"

#include <math.h>

#include "compiler/analysis/reducer.h"
#include "compiler/passes/rewrite/each_op.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    MIN_PARTS = 16,   /* fewest partial results for which splitting is profitable */
    MAX_PARTS = 4096, /* most partial results */
    MAX_INPUTS = 8,
    VECTOR = 64 /* adjacent results that one thread computes together */
};

/* Stores the identity element of a reducer; false if it is unknown. */
static bool identity_of(enum op_code code, enum dtype dtype, double *out)
{
    bool real = dtype_is_float(dtype);
    switch (code) {
    case OP_add: *out = 0; return real || dtype_is_integer(dtype) || dtype_is_complex(dtype);
    case OP_multiply: *out = 1; return real || dtype_is_integer(dtype);
    case OP_maximum:
        *out = -INFINITY;
        return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_BF16 ||
               dtype == DTYPE_F16;
    case OP_minimum:
        *out = INFINITY;
        return dtype == DTYPE_F32 || dtype == DTYPE_F64 || dtype == DTYPE_BF16 ||
               dtype == DTYPE_F16;
    case OP_or: *out = 0; return dtype_is_integer(dtype) || dtype == DTYPE_PRED;
    case OP_and: *out = 1; return dtype == DTYPE_PRED;
    default: return false;
    }
}

/* The number of independent work items of the original reduction. */
static int64_t parts_of(const struct op *reduce)
{
    int64_t results = type_elements(reduce->results[0].type);
    return dims_contain(reduce->attrs.dimensions.dimensions,
                        type_innermost(reduce->operands[0]->type))
               ? results
               : (results + VECTOR - 1) / VECTOR;
}

static int64_t divisor_near(int64_t size, int64_t target_parts)
{
    for (int64_t i = target_parts; i >= MIN_PARTS; i--)
        if (size % i == 0)
            return i;
    for (int64_t i = target_parts; i <= MAX_PARTS && i < size; i++)
        if (size % i == 0)
            return i;
    return 0;
}

/* Reshapes the operand so that dimension `dim` becomes two, the first of size `parts`. */
static struct value *split_dim(struct builder *b, struct value *operand, int dim, int64_t parts)
{
    int64_t dims[SHAPE_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < operand->type->shape.rank; i++) {
        if (i == dim)
            dims[rank++] = parts;
        dims[rank++] =
            i == dim ? operand->type->shape.dims[i] / parts : operand->type->shape.dims[i];
    }
    return build_reshape(b, operand, rank, dims);
}

/* The same reduction of other operands, over other dimensions, from other initial values. Its
 * results replace `operands`. */
static void reduce_by(struct builder *b, struct op *reduce, struct value **operands,
                      struct value *const *inits, int count, const int64_t *dims)
{
    struct op *made = ir_clone(b->module, reduce, map_create(b->module->arena));
    const struct shape *shape = &operands[0]->type->shape;
    struct dims reduced = rewrite_dims(b->module, dims, count);
    int64_t left[SHAPE_MAX_RANK];
    int rank = 0;
    for (int i = 0; i < shape->rank; i++)
        if (!dims_contain(reduced, i))
            left[rank++] = shape->dims[i];
    made->attrs.dimensions.dimensions = reduced;
    for (int i = 0; i < reduce->result_count; i++) {
        ir_set_operand(b->module, made, i, operands[i]);
        ir_set_operand(b->module, made, reduce->result_count + i, inits[i]);
        made->results[i].type =
            type_tensor(b->module->arena, reduce->results[i].type->shape.dtype, rank, left);
        operands[i] = &made->results[i];
    }
    ir_insert_before(reduce, made);
}

/* Builds two reductions: over all reduced dimensions except `dim` (including the second half of
 * `dim` if it was split), then over `dim`. */
static void reduce_twice(struct builder *b, struct op *reduce, struct value **operands, int dim,
                         bool was_split, struct value *const *identities)
{
    int64_t first[SHAPE_MAX_RANK], second = dim, shift = 0;
    int count = 0;
    for (int i = 0; i < reduce->operands[0]->type->shape.rank; i++) {
        if (was_split && i == dim)
            shift = 1;
        if (!dims_contain(reduce->attrs.dimensions.dimensions, i))
            continue;
        if (i != dim || was_split)
            first[count++] = i + shift;
        if (i < dim)
            second--;
    }
    reduce_by(b, reduce, operands, identities, count, first);
    reduce_by(b, reduce, operands, reduce->operands + reduce->result_count, 1, &second);
}

/* What the first of two reductions starts from: the identity of the operation; of other regions,
 * as of argmax, the initial values, which StableHLO requires to be one, and of operations where
 * these may come in more than once. */
static bool find_identities(struct module *module, struct op *reduce, struct value **identities)
{
    double identity;
    enum op_code code = reducer_of(reduce);
    enum dtype dtype = reduce->results[0].type->shape.dtype;
    struct builder b = {module, reduce->block, reduce, reduce->location};
    if (reduce->result_count > MAX_INPUTS)
        return false;
    for (int i = 0; i < reduce->result_count; i++)
        identities[i] = reduce->operands[reduce->result_count + i];
    if (identity_of(code, dtype, &identity))
        identities[0] = build_scalar(&b, dtype, identity);
    else
        return code == OP_INVALID_CODE || code == OP_maximum || code == OP_minimum ||
               code == OP_and || code == OP_or;
    return true;
}

static void split(struct module *module, struct op *reduce, int64_t parts)
{
    struct builder b = {module, reduce->block, reduce, reduce->location};
    const struct type *type = reduce->operands[0]->type;
    int64_t inputs = type_elements(type), results = type_elements(reduce->results[0].type);
    int dim = -1;
    for (int i = 0; i < type->shape.rank; i++)
        if (dims_contain(reduce->attrs.dimensions.dimensions, i) &&
            (dim < 0 || type->shape.dims[i] > type->shape.dims[dim]))
            dim = i;
    int64_t size = type->shape.dims[dim];
    bool whole = size >= MIN_PARTS && size <= MAX_PARTS && inputs / results / size >= MIN_PARTS;
    int64_t number = whole || type->shape.rank >= SHAPE_MAX_RANK ? 0 : divisor_near(size, parts);
    struct value *operands[MAX_INPUTS], *identities[MAX_INPUTS];
    if ((!whole && (!number || number == size)) || !find_identities(module, reduce, identities))
        return;
    for (int i = 0; i < reduce->result_count; i++)
        operands[i] = whole ? reduce->operands[i] : split_dim(&b, reduce->operands[i], dim, number);
    reduce_twice(&b, reduce, operands, dim, !whole, identities);
    for (int i = 0; i < reduce->result_count; i++)
        ir_replace_uses(module, &reduce->results[i], operands[i]);
    ir_remove(reduce);
}

/* Whether the partial results of a sum or product would be rounded to a narrow type. */
static bool rounds_parts(const struct op *reduce)
{
    enum op_code code = reducer_of(reduce);
    enum dtype dtype = reduce->results[0].type->shape.dtype;
    return (code == OP_add || code == OP_multiply) && dtype_is_float(dtype) &&
           dtype_info(dtype)->bits < 32;
}

/* Replaces a reduction by one of f32, and rounds its result. Returns that reduction. */
static struct op *widen(struct module *module, struct op *reduce)
{
    struct builder b = {module, reduce->block, reduce, reduce->location};
    const struct dims reduced = reduce->attrs.dimensions.dimensions;
    struct value *operand = build_convert(&b, reduce->operands[0], DTYPE_F32),
                 *initial = build_convert(&b, reduce->operands[1], DTYPE_F32);
    struct value *wide =
        build_reduce(&b, operand, initial, reducer_of(reduce), (int)reduced.count, reduced.at);
    struct value *value = build_convert(&b, wide, reduce->results[0].type->shape.dtype);
    ir_replace_uses(module, &reduce->results[0], value);
    ir_remove(reduce);
    return wide->def;
}

/* The code for a region of several operations takes long to compile, and there are two of them. */
static int64_t least_elements(const struct op *reduce, const struct target *target)
{
    return (reducer_of(reduce) == OP_INVALID_CODE ? 8 : 2) * target->parallel_cost;
}

static struct error *visit(struct module *module, struct op *op, const struct target *target)
{
    if (op->code != OP_reduce || type_elements(op->results[0].type) <= 0 ||
        type_elements(op->operands[0]->type) < least_elements(op, target) || target->cores < 2)
        return NULL;
    int64_t target_parts = 4 * (int64_t)target->cores;
    if (target_parts < 4 * MIN_PARTS)
        target_parts = 4 * MIN_PARTS;
    if (parts_of(op) < 2 * (int64_t)target->cores)
        split(module, rounds_parts(op) ? widen(module, op) : op, target_parts);
    return NULL;
}

struct error *reduce_split_run(struct module *module, const struct target *target)
{
    return each_op(module, target, visit);
}
