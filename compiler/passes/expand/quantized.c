#include "compiler/passes/expand/quantized.h"

#include <math.h>

#include "compiler/passes/rewrite/rewrite.h"

/* ---- types ----------------------------------------------------------------------------------- */

static const struct type *stored(struct arena *arena, const struct type *type)
{
    struct type *plain;
    if (!type)
        return NULL;
    if (type->kind == TYPE_TUPLE) {
        const struct type **elements =
            ARENA_ARRAY(arena, const struct type *, (size_t)type->element_count);
        for (int i = 0; i < type->element_count; i++)
            elements[i] = stored(arena, type->elements[i]);
        return type_tuple(arena, type->element_count, elements);
    }
    if (!type->quantization)
        return type;
    plain = arena_copy(arena, type, sizeof *type);
    plain->quantization = NULL;
    return plain;
}

static const struct quantization *quantization_of(const struct value *value)
{
    return value->note;
}

/* Whether a scale is positive and finite after rounding to the expressed type. */
static bool is_valid_scale(enum dtype expressed, double scale)
{
    uint8_t bytes[16];
    if (!dtype_is_float(expressed))
        return false;
    dtype_from_double(expressed, scale, bytes);
    double rounded = dtype_to_double(expressed, bytes);
    return rounded > 0 && rounded < (double)INFINITY;
}

/* A type quantized per axis has one scale for each index of the axis. Zero points must be in the
 * storage range. */
static struct error *check(struct arena *arena, const struct op *op, const struct type *type)
{
    const struct quantization *q = type->quantization;
    bool fits = q->axis < 0
                    ? q->scale_count == 1
                    : q->axis < type->shape.rank && q->scale_count == type->shape.dims[q->axis];
    for (int i = 0; i < q->scale_count; i++)
        fits = fits && is_valid_scale(q->expressed, q->scales[i]) &&
               q->zero_points[i] >= q->storage_min && q->zero_points[i] <= q->storage_max;
    for (int i = 0; i < type->shape.rank; i++)
        if (type->shape.dims[i] == SHAPE_DYNAMIC)
            return ERROR(UNIMPLEMENTED,
                         "%s: the type %s has a dynamic size; quantized types must be static",
                         op ? ir_where(arena, op) : "a function", type_text(arena, type));
    fits = fits && dtype_is_float(q->expressed) && dtype_is_integer(type->shape.dtype) &&
           q->storage_min <= q->storage_max;
    return fits
               ? NULL
               : ERROR(INVALID_ARGUMENT,
                       "%s: the quantization parameters of %s are invalid: they must be one scale, "
                       "or one per index of the axis, positive and finite in a floating-point "
                       "expressed type, with zero points in the range of an integer storage type",
                       op ? ir_where(arena, op) : "a function", type_text(arena, type));
}

/* Moves the quantization parameters of a value to its note and changes its type to the storage
 * type. */
static struct error *strip(struct arena *arena, const struct op *op, struct value *value, bool *any)
{
    value->note = NULL;
    if (!value->type)
        return NULL;
    if (value->type->quantization) {
        TRY(check(arena, op, value->type));
        value->note = (void *)(uintptr_t)value->type->quantization;
        *any = true;
    }
    value->type = stored(arena, value->type);
    return NULL;
}

static struct error *strip_block(struct arena *arena, struct block *block, bool *any)
{
    for (int i = 0; i < block->argument_count; i++)
        TRY(strip(arena, block->owner, &block->arguments[i], any));
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            TRY(strip(arena, op, &op->results[i], any));
        for (int i = 0; i < op->region_count; i++)
            if (op->regions[i])
                TRY(strip_block(arena, op->regions[i], any));
    }
    return NULL;
}

/* ---- arithmetic ------------------------------------------------------------------------------ */

/* The scales or zero points, converted to `dtype` and broadcast to the shape of `type`. */
static struct value *broadcast_parameters(struct builder *b, const struct quantization *q,
                                          const struct type *type, enum dtype dtype, bool scales)
{
    struct arena *arena = b->module->arena;
    const struct type *whole = type_with_dtype(arena, type, dtype);
    int64_t count = q->scale_count;
    if (q->axis < 0)
        return build_splat(b, whole, scales ? q->scales[0] : (double)q->zero_points[0]);
    unsigned char *bytes = ARENA_ARRAY(arena, unsigned char, (size_t)count *dtype_bytes(dtype));
    for (int64_t i = 0; i < count; i++)
        dtype_from_double(dtype, scales ? q->scales[i] : (double)q->zero_points[i],
                          bytes + (size_t)i * dtype_bytes(dtype));
    const struct type *list = type_tensor(arena, dtype, 1, &count);
    struct value *vector = build_constant(b, literal_dense(arena, list, bytes));
    return rewrite_broadcast_vector(b, vector, whole, q->axis);
}

static bool has_zero_points(const struct quantization *q)
{
    for (int i = 0; i < q->scale_count; i++)
        if (q->zero_points[i])
            return true;
    return false;
}

/* (stored - zero point) * scale, where the difference is computed in a wider integer type. */
static struct value *dequantize(struct builder *b, struct value *value)
{
    const struct quantization *q = quantization_of(value);
    const struct type *type = value->type;
    enum dtype wide = dtype_info(type->shape.dtype)->bits < 32 ? DTYPE_S32 : DTYPE_S64;
    if (has_zero_points(q)) {
        value = build_convert(b, value, wide);
        value = build_binary(b, OP_subtract, value, broadcast_parameters(b, q, type, wide, false));
    }
    value = build_convert(b, value, q->expressed);
    return build_binary(b, OP_multiply, value,
                        broadcast_parameters(b, q, type, q->expressed, true));
}

/* round(clamp(value / scale + zero point)) */
static struct value *quantize(struct builder *b, struct value *value, const struct quantization *q,
                              const struct type *type)
{
    const struct type *whole = type_with_dtype(b->module->arena, type, q->expressed);
    value = build_binary(b, OP_divide, value, broadcast_parameters(b, q, type, q->expressed, true));
    if (has_zero_points(q))
        value =
            build_binary(b, OP_add, value, broadcast_parameters(b, q, type, q->expressed, false));
    struct value *operands[] = {build_splat(b, whole, (double)q->storage_min), value,
                                build_splat(b, whole, (double)q->storage_max)};
    value = build_declared(b, OP_clamp, 3, operands, whole, NULL);
    value = build_unary(b, OP_round_nearest_even, value);
    return build_convert(b, value, type->shape.dtype);
}

/* ---- operations ------------------------------------------------------------------------------ */

static bool same_parameters(const struct quantization *a, const struct quantization *b)
{
    bool same = a->expressed == b->expressed && a->storage_min == b->storage_min &&
                a->storage_max == b->storage_max && a->scale_count == b->scale_count;
    for (int i = 0; same && i < a->scale_count; i++)
        same = a->scales[i] == b->scales[i] && a->zero_points[i] == b->zero_points[i];
    return same;
}

/* Whether all quantized operands and results have the same parameters. The axis may differ, since a
 * transpose moves it. */
static bool is_uniform(const struct op *op)
{
    const struct quantization *first = NULL;
    for (int i = 0; i < op->operand_count + op->result_count; i++) {
        const struct quantization *q = quantization_of(
            i < op->operand_count ? op->operands[i] : &op->results[i - op->operand_count]);
        if (q && first && !same_parameters(first, q))
            return false;
        first = q ? q : first;
    }
    return true;
}

/* Whether op can operate on stored values. */
static bool keeps_stored(const struct op *op)
{
    const unsigned always =
        OP_CONTROL | OP_CALL | OP_REDUCER | OP_TERMINATOR | OP_SIDE_EFFECT | OP_COLLECTIVE;
    unsigned traits = op_info(op->code)->traits;
    if (traits & always || op->region_count > 0)
        return true;
    switch (op->code) {
    case OP_dynamic_conv: return false;
    case OP_bitcast_convert:
    case OP_constant:
    case OP_get_dimension_size:
    case OP_get_tuple_element:
    case OP_optimization_barrier:
    case OP_tuple: return true;
    case OP_copy:
    case OP_select: return is_uniform(op);
    default: return traits & (OP_INDEXED | OP_DYNAMIC) && is_uniform(op);
    }
}

static bool has_quantized_values(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (quantization_of(op->operands[i]))
            return true;
    for (int i = 0; i < op->result_count; i++)
        if (quantization_of(&op->results[i]))
            return true;
    return false;
}

static struct error *replace(struct module *module, struct op *op, struct value **values)
{
    for (int i = 0; i < op->result_count; i++) {
        const struct quantization *q = quantization_of(&op->results[i]);
        struct builder b = rewrite_before(module, op);
        if (q && values[i])
            values[i] = quantize(&b, values[i], q, op->results[i].type);
        if (!values[i] || !values[i]->type || !type_same(values[i]->type, op->results[i].type))
            return ERROR(INVALID_ARGUMENT, "%s: the types of its operands do not match result %d",
                         ir_where(module->arena, op), i);
        values[i]->note = (void *)(uintptr_t)q;
    }
    return rewrite_replace(module, op, values);
}

/* Replaces op by one that computes on dequantized operands; replace() quantizes its results. */
static struct error *compute_dequantized(struct module *module, struct op *op)
{
    struct arena *arena = module->arena;
    struct builder b = rewrite_before(module, op);
    struct value **operands = ARENA_ARRAY(arena, struct value *, (size_t)op->operand_count);
    const struct type **types = ARENA_ARRAY(arena, const struct type *, (size_t)op->result_count);
    struct value **values = ARENA_ARRAY(arena, struct value *, (size_t)op->result_count);
    for (int i = 0; i < op->operand_count; i++) {
        operands[i] =
            quantization_of(op->operands[i]) ? dequantize(&b, op->operands[i]) : op->operands[i];
        if (!operands[i])
            return ERROR(INVALID_ARGUMENT,
                         "%s: operand %d cannot be dequantized to the type of its scales",
                         ir_where(arena, op), i);
    }
    if (op->code == OP_uniform_quantize || op->code == OP_uniform_dequantize) {
        values[0] = operands[0];
        return replace(module, op, values);
    }
    for (int i = 0; i < op->result_count; i++) {
        const struct quantization *q = quantization_of(&op->results[i]);
        types[i] =
            q ? type_with_dtype(arena, op->results[i].type, q->expressed) : op->results[i].type;
    }
    struct op *plain =
        ir_op(module, op->code, op->operand_count, operands, op->result_count, types, 0);
    plain->attrs = op->attrs;
    plain->location = op->location;
    plain->discardable = op->discardable;
    ir_insert_before(op, plain);
    for (int i = 0; i < op->result_count; i++)
        values[i] = &plain->results[i];
    return replace(module, op, values);
}

static struct error *rewrite_block(struct module *module, struct block *block)
{
    for (struct op *op = block->first, *next; op; op = next) {
        next = op->next;
        for (int i = 0; i < op->region_count; i++)
            if (op->regions[i])
                TRY(rewrite_block(module, op->regions[i]));
        if (has_quantized_values(op) && !keeps_stored(op))
            TRY(compute_dequantized(module, op));
    }
    return NULL;
}

struct error *quantized_run(struct module *module)
{
    struct arena *arena = module->arena;
    bool any = false;
    for (struct func *func = module->first; func; func = func->next) {
        if (func->body)
            TRY(strip_block(arena, func->body, &any));
        for (int i = 0; i < func->result_count; i++)
            func->result_types[i] = stored(arena, func->result_types[i]);
    }
    for (struct func *func = module->first; any && func; func = func->next)
        if (func->body)
            TRY(rewrite_block(module, func->body));
    return NULL;
}
