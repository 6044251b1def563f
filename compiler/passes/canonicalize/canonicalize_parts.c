/* canonicalize_parts.c: see canonicalize_parts.h. A *part* of a value is its slice at one index of
 * the reduced dimension, without that dimension. */
#include "compiler/passes/canonicalize/canonicalize_parts.h"

#include "compiler/analysis/reducer.h"
#include "compiler/ir/build.h"
#include "compiler/passes/rewrite/lift_body.h"
#include "compiler/passes/rewrite/rewrite.h"

enum {
    PARTS_MOST = 32,
    STEPS = 64,      /* of a walk over operands, or over users */
    CODE_MOST = 1024 /* operations that replace a reduction */
};

/* ---- which reductions ------------------------------------------------------------------------ */
struct search {
    const struct block *block;
    int64_t dim;
    int steps;       /* that are left */
    int operations;  /* elementwise ones so far */
    bool is_stacked; /* there is a concatenation */
};

static bool reduces_along(const struct op *op, int64_t dim)
{
    struct dims reduced = op->attrs.dimensions.dimensions;
    return op->code == OP_reduce && reduced.count == 1 && reduced.at[0] == dim;
}

/* Whether all that is computed of a value becomes smaller along the dimension, so that the whole
 * value is not needed. */
static bool only_reduced(const struct value *value, struct search *search)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        const struct op *user = use->user;
        if (--search->steps < 0 || user->block != search->block)
            return false;
        if (user->code != OP_slice && !reduces_along(user, search->dim) &&
            !(ir_is_elementwise(user) && only_reduced(&user->results[0], search)))
            return false;
    }
    return true;
}

static bool stacks(const struct op *concatenate, int64_t dim)
{
    return concatenate->attrs.dimension.dimension == dim &&
           concatenate->operand_count == concatenate->results[0].type->shape.dims[dim];
}

static bool has_parts(const struct value *value, struct search *search);

static bool operands_have_parts(const struct op *op, struct search *search)
{
    search->operations++;
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->shape.rank != op->results[0].type->shape.rank ||
            !has_parts(op->operands[i], search))
            return false;
    return true;
}

static bool has_parts(const struct value *value, struct search *search)
{
    const struct op *op = value->def;
    if (!op || op->block != search->block || --search->steps < 0)
        return false;
    switch (op->code) {
    case OP_constant: return op->attrs.constant.value->splat;
    case OP_iota: return op->attrs.iota.iota_dimension == search->dim;
    case OP_broadcast_in_dim:
        return !dims_contain(op->attrs.broadcast_in_dim.broadcast_dimensions, search->dim);
    case OP_concatenate:
        search->is_stacked = true;
        return stacks(op, search->dim) && only_reduced(value, search);
    default:
        return ir_is_elementwise(op) && only_reduced(value, search) &&
               operands_have_parts(op, search);
    }
}

static int body_length(const struct block *body)
{
    int count = 0;
    for (const struct op *op = body->first; op; op = op->next)
        count++;
    return count;
}

/* Floats below 32 bits, which a reduction's own code does not round between its terms; an extremum
 * of 16 bits is not rounded anyway. */
static bool is_rounded_coarsely(const struct op *reduce)
{
    enum op_code code = reducer_of_sum_or_extremum(reduce);
    int exact = code == OP_maximum || code == OP_minimum ? 16 : 32;
    for (int i = 0; i < reduce->result_count; i++) {
        enum dtype dtype = reduce->results[i].type->shape.dtype;
        if (dtype_is_float(dtype) && dtype_info(dtype)->bits < exact)
            return true;
    }
    return false;
}

/* The number of parts; 0 if the reduction is none of stacked arrays. */
static int parts_of(const struct op *reduce)
{
    struct dims reduced = reduce->attrs.dimensions.dimensions;
    if (reduced.count != 1 || is_rounded_coarsely(reduce) ||
        !lift_body_possible(reduce->regions[0]))
        return 0;
    struct search search = {.block = reduce->block, .dim = reduced.at[0], .steps = STEPS};
    int64_t count = reduce->operands[0]->type->shape.dims[reduced.at[0]];
    if (count > PARTS_MOST)
        return 0;
    for (int i = 0; i < reduce->operand_count / 2; i++)
        if (!has_parts(reduce->operands[i], &search))
            return 0;
    int64_t operations = count * (search.operations + body_length(reduce->regions[0]));
    return search.is_stacked && operations <= CODE_MOST ? (int)count : 0;
}

/* ---- parts ----------------------------------------------------------------------------------- */
struct parts {
    struct builder b;
    const struct op *reduce;
    const struct shape *shape; /* of a part */
    int at;                    /* the index along the reduced dimension */
    struct map *values;        /* value -> its part at that index */
};

static struct value *part(struct parts *parts, struct value *value);

static struct value *part_of_broadcast(struct parts *parts, const struct op *op,
                                       const struct type *type)
{
    struct dims to = op->attrs.broadcast_in_dim.broadcast_dimensions;
    int64_t map[SHAPE_MAX_RANK], dim = parts->reduce->attrs.dimensions.dimensions.at[0];
    for (int64_t i = 0; i < to.count; i++)
        map[i] = to.at[i] - (to.at[i] > dim);
    return build_broadcast(&parts->b, op->operands[0], type, (int)to.count, map);
}

static struct value *make_part(struct parts *parts, const struct op *op, const struct type *type)
{
    struct builder *b = &parts->b;
    struct arena *arena = b->module->arena;
    const struct shape *shape = parts->shape;
    switch (op->code) {
    case OP_constant: return build_splat_like(b, &op->results[0], shape);
    case OP_iota: return build_splat(b, type, parts->at);
    case OP_broadcast_in_dim: return part_of_broadcast(parts, op, type);
    case OP_concatenate: return build_reshape(b, op->operands[parts->at], shape->rank, shape->dims);
    default: break;
    }
    struct value **operands = ARENA_ARRAY(arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < op->operand_count; i++)
        operands[i] = part(parts, op->operands[i]);
    return build_declared(b, op->code, op->operand_count, operands, type, &op->attrs);
}

static struct value *part(struct parts *parts, struct value *value)
{
    struct value *made = map_get_pointer(parts->values, value);
    if (!made) {
        const struct type *type = type_tensor(parts->b.module->arena, value->type->shape.dtype,
                                              parts->shape->rank, parts->shape->dims);
        made = make_part(parts, value->def, type);
        map_put_pointer(parts->values, value, made);
    }
    return made;
}

/* ---- the tree -------------------------------------------------------------------------------- */
/* The values to combine: parts of each operand, or what was made of a range of them. */
struct combination {
    struct value **values;
};

static struct error *combine(struct module *module, struct op *op, const struct combination *left,
                             const struct combination *right, struct combination *out)
{
    int count = op->operand_count / 2;
    struct value **arguments =
        ARENA_ARRAY(module->arena, struct value *, (size_t)op->operand_count);
    for (int i = 0; i < count; i++) {
        arguments[i] = left->values[i];
        arguments[count + i] = right->values[i];
    }
    out->values = ARENA_ARRAY(module->arena, struct value *, (size_t)count);
    return lift_body_apply(module, op, op->results[0].type, arguments, out->values);
}

static struct combination parts_at(struct module *module, const struct op *op, int at)
{
    int count = op->operand_count / 2;
    struct parts parts = {.b = rewrite_before(module, op),
                          .reduce = op,
                          .shape = &op->results[0].type->shape,
                          .at = at,
                          .values = map_create(module->arena)};
    struct combination all = {ARENA_ARRAY(module->arena, struct value *, (size_t)count)};
    for (int i = 0; i < count; i++)
        all.values[i] = part(&parts, op->operands[i]);
    return all;
}

static struct combination initial(struct module *module, const struct op *op)
{
    struct builder b = rewrite_before(module, op);
    int count = op->operand_count / 2;
    struct combination all = {ARENA_ARRAY(module->arena, struct value *, (size_t)count)};
    for (int i = 0; i < count; i++)
        all.values[i] = rewrite_broadcast_scalar(&b, op->operands[count + i], op->results[0].type);
    return all;
}

struct error *canonicalize_parts_reduce(struct module *module, struct op *op)
{
    struct combination level[PARTS_MOST], first;
    int count = module->num_partitions > 1 || module->awaits_model ? 0 : parts_of(op);
    if (count < 1)
        return NULL;
    for (int i = 0; i < count; i++)
        level[i] = parts_at(module, op, i);
    for (; count > 1; count = (count + 1) / 2)
        for (int i = 0; i < count; i += 2)
            if (i + 1 < count)
                TRY(combine(module, op, &level[i], &level[i + 1], &level[i / 2]));
            else
                level[i / 2] = level[i];
    first = initial(module, op);
    TRY(combine(module, op, &first, &level[0], &level[0]));
    return rewrite_replace(module, op, level[0].values);
}
