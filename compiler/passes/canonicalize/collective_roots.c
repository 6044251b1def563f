#include "compiler/passes/canonicalize/collective_roots.h"

#include "compiler/ir/along_dim.h"
#include "compiler/passes/canonicalize/collective_member.h"
#include "compiler/passes/rewrite/rewrite.h"

struct roots {
    struct builder b;
    const struct program_groups *groups;
    struct op *op;
    struct value *position; /* of this participant in its group */
    struct value *given;    /* s32 [results], or NULL: 0 for all */
};

static bool is_dynamic(const struct op *op)
{
    return op->code == OP_collective_reduce ? op->attrs.collective_reduce.has_dynamic_root
                                            : op->attrs.collective.has_dynamic_root;
}

bool collective_roots_are_needed(const struct op *op)
{
    return op->code == OP_collective_reduce ||
           (op->code == OP_collective_broadcast && op->attrs.collective.has_dynamic_root);
}

/* Whether this participant is the root of result i: pred, like `type`. */
static struct value *is_root(struct roots *r, int i, const struct type *type)
{
    struct value *root =
        r->given ? along_dim_element(&r->b, r->given, 0, i) : build_scalar(&r->b, DTYPE_S32, 0);
    struct value *equal = build_compare(&r->b, COMPARE_EQ, r->position, root);
    const struct type *mask =
        type_tensor(r->b.module->arena, DTYPE_PRED, type->shape.rank, type->shape.dims);
    /* participants of no group have the position -1, which is no root either */
    struct value *member =
        build_compare(&r->b, COMPARE_GE, r->position, build_scalar(&r->b, DTYPE_S32, 0));
    return rewrite_broadcast_scalar(&r->b, build_binary(&r->b, OP_and, equal, member), mask);
}

static union attrs all_reduce_of(struct roots *r)
{
    return (union attrs){
        .all_reduce = {.replica_groups = collective_member_cover(r->b.module, r->groups),
                       .channel_id = 1,
                       .use_global_device_ids = true}};
}

/* The value where this participant is the root of result i, else zeros. */
static struct value *at_root(struct roots *r, int i, struct value *value)
{
    return build_select(&r->b, is_root(r, i, value->type), value,
                        build_splat(&r->b, type_plain(r->b.module->arena, value->type), 0));
}

/* ---- collective_reduce ----------------------------------------------------------------------- */

static struct error *reduce(struct roots *r)
{
    struct module *module = r->b.module;
    struct op *op = r->op;
    size_t count = (size_t)op->result_count;
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, count);
    struct value **values = ARENA_ARRAY(module->arena, struct value *, count);
    for (size_t i = 0; i < count; i++)
        types[i] = op->results[i].type;
    struct op *made =
        ir_op(module, OP_all_reduce, op->result_count, op->operands, op->result_count, types, 1);
    made->attrs = all_reduce_of(r);
    made->location = op->location;
    made->regions[0] = op->regions[0];
    made->regions[0]->owner = made;
    op->region_count = 0;
    ir_insert_before(op, made);
    for (int i = 0; i < op->result_count; i++)
        values[i] = at_root(r, i, &made->results[i]);
    return rewrite_replace(module, op, values);
}

/* ---- collective_broadcast -------------------------------------------------------------------- */

/* Combines the values of all members by `or`. */
static struct value *combine(struct roots *r, struct value *value)
{
    struct module *module = r->b.module;
    struct op *made = ir_op(module, OP_all_reduce, 1, &value, 1, &value->type, 1);
    const struct type *scalar = type_scalar(module->arena, value->type->shape.dtype);
    made->attrs = all_reduce_of(r);
    made->location = r->op->location;
    ir_insert_before(r->op, made);
    struct block *body =
        ir_block(module, r->op->block->func, made, 2, (const struct type *[]){scalar, scalar});
    struct builder inner = {module, body, NULL, r->op->location};
    made->regions[0] = body;
    struct value *both = build_binary(&inner, OP_or, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &both);
    return &made->results[0];
}

/* The unsigned integers of as many bits; DTYPE_INVALID: there are none. */
static enum dtype bits_of(enum dtype dtype)
{
    switch (dtype_info(dtype)->bits) {
    case 2: return DTYPE_U2;
    case 4: return DTYPE_U4;
    case 8: return DTYPE_U8;
    case 16: return DTYPE_U16;
    case 32: return DTYPE_U32;
    case 64: return DTYPE_U64;
    default: return DTYPE_INVALID;
    }
}

static struct value *as_bits(struct roots *r, struct value *value, enum dtype dtype)
{
    const struct shape *shape = &value->type->shape;
    const struct type *type = type_tensor(r->b.module->arena, dtype, shape->rank, shape->dims);
    return build_declared(&r->b, OP_bitcast_convert, 1, &value, type, NULL);
}

/* Operand i of the root, which is neither complex nor wider than 64 bits. */
static struct value *send_part(struct roots *r, int i, struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    if (dtype == DTYPE_PRED || dtype_is_integer(dtype))
        return combine(r, at_root(r, i, value));
    struct value *bits = combine(r, at_root(r, i, as_bits(r, value, bits_of(dtype))));
    return as_bits(r, bits, dtype);
}

static struct value *send(struct roots *r, int i, struct value *value)
{
    if (!dtype_is_complex(value->type->shape.dtype))
        return send_part(r, i, value);
    struct value *real = send_part(r, i, build_unary(&r->b, OP_real, value));
    struct value *imaginary = send_part(r, i, build_unary(&r->b, OP_imag, value));
    return build_binary(&r->b, OP_complex, real, imaginary);
}

static struct error *broadcast(struct roots *r)
{
    struct module *module = r->b.module;
    struct op *op = r->op;
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)op->result_count);
    for (int i = 0; i < op->result_count; i++) {
        enum dtype dtype = op->operands[i]->type->shape.dtype;
        if (dtype != DTYPE_PRED && !dtype_is_complex(dtype) && bits_of(dtype) == DTYPE_INVALID)
            return ERROR(UNIMPLEMENTED, "%s: a root that is a value is unsupported for %s",
                         ir_where(module->arena, op), dtype_name(dtype));
        values[i] = send(r, i, op->operands[i]);
    }
    return rewrite_replace(module, op, values);
}

struct error *collective_roots(struct module *module, struct op *op,
                               const struct program_groups *groups)
{
    struct roots r = {.b = rewrite_before(module, op), .groups = groups, .op = op};
    r.position = collective_member_position(&r.b, groups);
    r.given = is_dynamic(op) ? op->operands[op->result_count] : NULL;
    return op->code == OP_collective_reduce ? reduce(&r) : broadcast(&r);
}
