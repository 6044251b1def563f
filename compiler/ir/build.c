#include "compiler/ir/build.h"

#include "compiler/ir/infer.h"

/* Creates an operation outside of any block; `type` (or NULL) is the type of its first result. */
static struct op *make(struct builder *b, enum op_code code, int operand_count,
                       struct value *const *operands, int result_count, const struct type *type,
                       const union attrs *attrs, int region_count)
{
    struct op *op =
        ir_op(b->module, code, operand_count, operands, result_count, NULL, region_count);
    op->location = b->location;
    if (attrs)
        op->attrs = *attrs;
    if (type)
        op->results[0].type = type;
    return op;
}

/* ---- poison ---------------------------------------------------------------------------------- */

#define ONES_8 1, 1, 1, 1, 1, 1, 1, 1
/* The largest rank and sizes of 1, so that any dimension that a pass reads exists. */
static const int64_t poison_dims[SHAPE_MAX_RANK] = {ONES_8, ONES_8, ONES_8, ONES_8};
static const struct type poison = {
    .kind = TYPE_TENSOR,
    .shape = {.dtype = DTYPE_F32, .rank = SHAPE_MAX_RANK, .dims = poison_dims}};

bool build_is_poison(const struct value *value)
{
    return value->type == &poison;
}

/* The operand of op that is poison, or NULL. */
static const struct value *poison_operand(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (build_is_poison(op->operands[i]))
            return op->operands[i];
    return NULL;
}

struct error *build_check(struct module *module, const struct value *value)
{
    if (!build_is_poison(value))
        return NULL;
    for (const struct value *from = value; from; from = poison_operand(from->def))
        value = from;
    struct error *error = infer_op(module->arena, value->def);
    return error ? error
                 : ERROR(INTERNAL, "%s: was built from operands of invalid types",
                         ir_where(module->arena, value->def));
}

static struct op *insert(struct builder *b, struct op *op)
{
    if (b->before)
        ir_insert_before(b->before, op);
    else
        ir_append(b->block, op);
    struct error *error = poison_operand(op) ? NULL : infer_op(b->module->arena, op);
    if (!error && !poison_operand(op))
        return op;
    error_free(error); /* build_check() recreates it */
    for (int i = 0; i < op->result_count; i++)
        op->results[i].type = &poison;
    return op;
}

/* ---- constructors ---------------------------------------------------------------------------- */

/* The length of the caller's lists. For poison it is 0: callers size lists by the rank of the value
 * they expect, not by that of poison. */
static int rank_of(const struct value *operand)
{
    return build_is_poison(operand) ? 0 : operand->type->shape.rank;
}

struct value *build_declared(struct builder *b, enum op_code code, int count,
                             struct value *const *operands, const struct type *type,
                             const union attrs *attrs)
{
    return &insert(b, make(b, code, count, operands, 1, type, attrs, 0))->results[0];
}

static struct dims copy_dims(struct builder *b, int64_t count, const int64_t *at)
{
    return (struct dims){count, arena_copy(b->module->arena, at, (size_t)count * sizeof *at)};
}

struct value *build_unary(struct builder *b, enum op_code code, struct value *operand)
{
    return build_declared(b, code, 1, &operand, NULL, NULL);
}

struct value *build_binary(struct builder *b, enum op_code code, struct value *lhs,
                           struct value *rhs)
{
    return build_declared(b, code, 2, (struct value *[]){lhs, rhs}, NULL, NULL);
}

struct value *build_copy(struct builder *b, struct value *operand, enum memory_kind memory)
{
    const struct type *type = type_with_memory(b->module->arena, operand->type, memory);
    return build_declared(b, OP_copy, 1, &operand, type, NULL);
}

static enum compare_type compare_type_of(enum dtype dtype)
{
    enum dtype_class class = dtype_info(dtype)->class;
    if (class == CLASS_SIGNED)
        return COMPARE_SIGNED;
    return class == CLASS_FLOAT || class == CLASS_COMPLEX ? COMPARE_FLOAT : COMPARE_UNSIGNED;
}

struct value *build_compare(struct builder *b, enum comparison direction, struct value *lhs,
                            struct value *rhs)
{
    union attrs attrs = {.compare = {.comparison_direction = direction,
                                     .compare_type = compare_type_of(lhs->type->shape.dtype)}};
    return build_declared(b, OP_compare, 2, (struct value *[]){lhs, rhs}, NULL, &attrs);
}

struct value *build_select(struct builder *b, struct value *pred, struct value *on_true,
                           struct value *on_false)
{
    return build_declared(b, OP_select, 3, (struct value *[]){pred, on_true, on_false}, NULL, NULL);
}

struct value *build_constant(struct builder *b, const struct literal *literal)
{
    union attrs attrs = {.constant = {.value = literal}};
    return build_declared(b, OP_constant, 0, NULL, literal->type, &attrs);
}

struct value *build_splat(struct builder *b, const struct type *type, double value)
{
    const struct type *plain =
        type_tensor(b->module->arena, type->shape.dtype, type->shape.rank, type->shape.dims);
    return build_constant(b, literal_from_double(b->module->arena, plain, value));
}

struct value *build_splat_like(struct builder *b, const struct value *splat,
                               const struct shape *shape)
{
    struct arena *arena = b->module->arena;
    const struct type *type = type_with_dims(arena, splat->type, shape->rank, shape->dims);
    return build_constant(b, literal_splat(arena, type, splat->def->attrs.constant.value->bytes));
}

struct value *build_scalar(struct builder *b, enum dtype dtype, double value)
{
    return build_splat(b, type_scalar(b->module->arena, dtype), value);
}

struct value *build_convert(struct builder *b, struct value *operand, enum dtype dtype)
{
    const struct type *type = operand->type;
    if (type->shape.dtype == dtype)
        return operand;
    return build_declared(b, OP_convert, 1, &operand,
                          type_tensor(b->module->arena, dtype, type->shape.rank, type->shape.dims),
                          NULL);
}

struct value *build_broadcast(struct builder *b, struct value *operand, const struct type *type,
                              int count, const int64_t *broadcast_dimensions)
{
    union attrs attrs = {
        .broadcast_in_dim = {.broadcast_dimensions = copy_dims(b, count, broadcast_dimensions)}};
    const struct type *to = type_tensor(b->module->arena, operand->type->shape.dtype,
                                        type->shape.rank, type->shape.dims);
    return build_declared(b, OP_broadcast_in_dim, 1, &operand, to, &attrs);
}

struct value *build_reshape(struct builder *b, struct value *operand, int rank, const int64_t *dims)
{
    const struct type *to = type_tensor(b->module->arena, operand->type->shape.dtype, rank, dims);
    return build_declared(b, OP_reshape, 1, &operand, to, NULL);
}

struct value *build_transpose(struct builder *b, struct value *operand, const int64_t *permutation)
{
    union attrs attrs = {.transpose = {.permutation = copy_dims(b, rank_of(operand), permutation)}};
    return build_declared(b, OP_transpose, 1, &operand, NULL, &attrs);
}

struct value *build_slice(struct builder *b, struct value *operand, const int64_t *start,
                          const int64_t *limit, const int64_t *strides)
{
    int rank = rank_of(operand);
    union attrs attrs = {.slice = {.start_indices = copy_dims(b, rank, start),
                                   .limit_indices = copy_dims(b, rank, limit)}};
    if (strides) /* infer_slice() sets absent strides to 1 */
        attrs.slice.strides = copy_dims(b, rank, strides);
    return build_declared(b, OP_slice, 1, &operand, NULL, &attrs);
}

/* The value, other operands, and the start indices of the value's dimensions. */
static struct value *build_at(struct builder *b, enum op_code code, int count,
                              struct value *const *first, struct value *const *starts,
                              const union attrs *attrs)
{
    int rank = rank_of(first[0]);
    struct value *operands[2 + SHAPE_MAX_RANK] = {first[0], first[count - 1]};
    for (int i = 0; i < rank; i++)
        operands[count + i] = starts[i];
    return build_declared(b, code, count + rank, operands, NULL, attrs);
}

struct value *build_dynamic_slice(struct builder *b, struct value *operand,
                                  struct value *const *starts, const int64_t *sizes)
{
    union attrs attrs = {.dynamic_slice = {.slice_sizes = copy_dims(b, rank_of(operand), sizes)}};
    return build_at(b, OP_dynamic_slice, 1, &operand, starts, &attrs);
}

struct value *build_update(struct builder *b, struct value *operand, struct value *update,
                           struct value *const *starts)
{
    return build_at(b, OP_dynamic_update_slice, 2, (struct value *[]){operand, update}, starts,
                    NULL);
}

struct value *build_pad(struct builder *b, struct value *operand, struct value *fill,
                        const int64_t *low, const int64_t *high, const int64_t *interior)
{
    int rank = rank_of(operand);
    union attrs attrs = {.pad = {.edge_padding_low = copy_dims(b, rank, low),
                                 .edge_padding_high = copy_dims(b, rank, high),
                                 .interior_padding = copy_dims(b, rank, interior)}};
    struct value *operands[] = {operand,
                                fill ? fill : build_scalar(b, operand->type->shape.dtype, 0)};
    return build_declared(b, OP_pad, 2, operands, NULL, &attrs);
}

struct value *build_concatenate(struct builder *b, int count, struct value *const *operands,
                                int64_t dim)
{
    union attrs attrs = {.dimension = {.dimension = dim}};
    return build_declared(b, OP_concatenate, count, operands, NULL, &attrs);
}

struct value *build_iota(struct builder *b, const struct type *type, int64_t dim)
{
    union attrs attrs = {.iota = {.iota_dimension = dim}};
    return build_declared(b, OP_iota, 0, NULL, type, &attrs);
}

struct value *build_reduce(struct builder *b, struct value *operand, struct value *init,
                           enum op_code code, int count, const int64_t *dimensions)
{
    union attrs attrs = {.dimensions = {.dimensions = copy_dims(b, count, dimensions)}};
    struct op *op = make(b, OP_reduce, 2, (struct value *[]){operand, init}, 1, NULL, &attrs, 1);
    const struct type *scalar = type_scalar(b->module->arena, init->type->shape.dtype);
    struct block *body =
        ir_block(b->module, b->block->func, op, 2, (const struct type *[]){scalar, scalar});
    op->regions[0] = body;
    struct builder inner = {b->module, body, NULL, b->location};
    struct value *sum = build_binary(&inner, code, &body->arguments[0], &body->arguments[1]);
    build_return(&inner, 1, &sum);
    return &insert(b, op)->results[0];
}

struct op *build_return(struct builder *b, int count, struct value *const *values)
{
    return insert(b, make(b, OP_return, count, values, 0, NULL, NULL, 0));
}

struct op *build_op(struct builder *b, enum op_code code, int operand_count,
                    struct value *const *operands, int result_count, const union attrs *attrs)
{
    return insert(b, make(b, code, operand_count, operands, result_count, NULL, attrs, 0));
}
