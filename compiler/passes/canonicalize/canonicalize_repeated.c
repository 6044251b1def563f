/* canonicalize_repeated.c: see canonicalize_repeated.h. */
#include "compiler/passes/canonicalize/canonicalize_repeated.h"

#include "compiler/analysis/constants.h"
#include "compiler/analysis/reducer.h"
#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/schedule/access.h"

enum { STEPS = 32 }; /* of a walk over operands */

/* ---- which dimensions ------------------------------------------------------------------------ */
/* Whether elements are the same along a dimension. */
static bool is_repeated(const struct value *value, const struct op *reduce, int64_t dim, int *left)
{
    const struct op *def = value->def;
    if (!def || def->block != reduce->block || --*left < 0)
        return false;
    switch (def->code) {
    case OP_constant: return def->attrs.constant.value->splat;
    case OP_iota: return def->attrs.iota.iota_dimension != dim;
    case OP_broadcast_in_dim: return access_dim_of(def, 0, (int)dim) < 0;
    default:
        if (!ir_is_elementwise(def) || !ir_has_one_use(value))
            return false;
        for (int i = 0; i < def->operand_count; i++)
            if (def->operands[i]->type->shape.rank != value->type->shape.rank ||
                !is_repeated(def->operands[i], reduce, dim, left))
                return false;
        return def->operand_count > 0;
    }
}

/* Whether the type, or f32 in its place, has n: then a product with it is rounded once. */
static bool has_number(enum dtype dtype, int64_t n)
{
    int bits = dtype_info(dtype)->bits;
    if (dtype_is_integer(dtype))
        return n < (bits >= 32 ? INT32_MAX : bits >= 8 ? 16 : 1 << (bits - 1));
    return dtype_is_float(dtype) && bits >= 16 && n <= 1 << 24;
}

/* ---- without them ---------------------------------------------------------------------------- */
/* Which dimensions of an array are left, and where they come to be. */
struct kept {
    int count;
    int64_t to[SHAPE_MAX_RANK]; /* -1: none */
};

static const struct type *type_without(struct arena *arena, const struct type *type,
                                       const struct kept *kept)
{
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < type->shape.rank; i++)
        if (kept->to[i] >= 0)
            dims[kept->to[i]] = type->shape.dims[i];
    return type_with_dims(arena, type, kept->count, dims);
}

static struct value *broadcast_once(struct builder *b, const struct op *broadcast,
                                    const struct type *type, const struct kept *kept)
{
    const struct dims from = broadcast->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t dims[SHAPE_MAX_RANK], to[SHAPE_MAX_RANK];
    int count = 0;
    for (int64_t i = 0; i < from.count; i++) {
        if (kept->to[from.at[i]] < 0)
            continue;
        dims[count] = broadcast->operands[0]->type->shape.dims[i];
        to[count++] = kept->to[from.at[i]];
    }
    return build_broadcast(b, build_reshape(b, broadcast->operands[0], count, dims), type, count,
                           to);
}

/* The value at any position along the dimensions that are not kept. */
static struct value *once(struct builder *b, const struct value *value, const struct kept *kept)
{
    const struct op *def = value->def;
    const struct type *type = type_without(b->module->arena, value->type, kept);
    struct value *operands[IR_ELEMENTWISE_OPERANDS];
    switch (def->code) {
    case OP_constant: return build_splat_like(b, value, &type->shape);
    case OP_iota: return build_iota(b, type, kept->to[def->attrs.iota.iota_dimension]);
    case OP_broadcast_in_dim: return broadcast_once(b, def, type, kept);
    default:
        for (int i = 0; i < def->operand_count; i++)
            operands[i] = once(b, def->operands[i], kept);
        return build_declared(b, def->code, def->operand_count, operands, type, &def->attrs);
    }
}

/* ---- the reduction --------------------------------------------------------------------------- */
/* The dimensions that stay, those of them that stay reduced, and how many equal terms there are. */
struct plan {
    struct kept kept;
    int count;
    int64_t reduced[SHAPE_MAX_RANK], terms;
};

static struct plan plan_of(const struct op *reduce)
{
    const struct shape *shape = &reduce->operands[0]->type->shape;
    struct plan plan = {.terms = 1};
    for (int i = 0; i < shape->rank; i++) {
        int left = STEPS;
        bool is_reduced = dims_contain(reduce->attrs.dimensions.dimensions, i);
        bool is_left_out =
            is_reduced && shape->dims[i] > 1 && is_repeated(reduce->operands[0], reduce, i, &left);
        plan.kept.to[i] = is_left_out ? -1 : plan.kept.count;
        if (is_left_out)
            plan.terms *= shape->dims[i];
        else if (is_reduced)
            plan.reduced[plan.count++] = plan.kept.count;
        plan.kept.count += !is_left_out;
    }
    return plan;
}

/* Different terms are added first: their products would be rounded each, and opposite ones might
 * overflow. */
static struct value *sum_of(struct builder *b, struct value *term, struct value *initial,
                            const struct plan *plan)
{
    enum dtype dtype = term->type->shape.dtype, wide = reducer_dtype_of_sums(dtype);
    struct value *sum = build_convert(b, term, wide);
    if (plan->count)
        sum = build_reduce(b, sum, build_scalar(b, wide, 0), OP_add, plan->count, plan->reduced);
    sum = build_binary(b, OP_multiply, sum, build_splat(b, sum->type, (double)plan->terms));
    initial = rewrite_broadcast_scalar(b, build_convert(b, initial, wide), sum->type);
    sum = build_binary(b, OP_add, initial, sum);
    return build_convert(b, sum, dtype);
}

/* From another number than 0, n equal terms may be added of which the product by n is infinite; and
 * a sum of -0 that starts with -0 is -0. */
static bool may_multiply(const struct op *reduce, int64_t terms)
{
    enum dtype dtype = reduce->results[0].type->shape.dtype;
    return has_number(dtype, terms) &&
           (dtype_is_integer(dtype) || constants_is_splat_of(reduce->operands[1], 0.0));
}

struct error *canonicalize_repeated_reduce(struct module *module, struct op *op)
{
    enum op_code code = reducer_of_sum_or_extremum(op);
    if (module->awaits_model || code == OP_INVALID_CODE || !type_elements(op->operands[0]->type))
        return NULL;
    const struct plan plan = plan_of(op);
    if (plan.terms == 1 || (code == OP_add && !may_multiply(op, plan.terms)))
        return NULL;
    struct builder b = rewrite_before(module, op);
    struct value *term = once(&b, op->operands[0], &plan.kept), *initial = op->operands[1];
    if (code == OP_add)
        return rewrite_with(module, op, sum_of(&b, term, initial, &plan));
    if (plan.count)
        return rewrite_with(module, op,
                            build_reduce(&b, term, initial, code, plan.count, plan.reduced));
    initial = rewrite_broadcast_scalar(&b, initial, term->type);
    return rewrite_with(module, op, build_binary(&b, code, initial, term));
}
