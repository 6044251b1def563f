#include "compiler/ir/infer_check.h"

#include <inttypes.h>
#include <stdio.h>

struct error *infer_check_bad(struct arena *arena, const struct op *op, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return ERROR(INVALID_ARGUMENT, "%s: %s", ir_where(arena, op), message);
}

unsigned infer_check_class(enum dtype dtype)
{
    switch (dtype_info(dtype)->class) {
    case CLASS_PREDICATE: return INFER_PRED;
    case CLASS_SIGNED:
    case CLASS_UNSIGNED: return INFER_INTEGER;
    case CLASS_FLOAT: return INFER_FLOAT;
    case CLASS_COMPLEX: return INFER_COMPLEX;
    case CLASS_OPAQUE: break;
    }
    return 0;
}

/* ---- operands -------------------------------------------------------------------------------- */

struct error *infer_check_tensor(struct arena *arena, const struct op *op, int i)
{
    const struct type *type = infer_check_type(op, i);
    if (type->kind != TYPE_TENSOR || !infer_check_class(type->shape.dtype))
        return infer_check_bad(arena, op, "operand %d is %s; it must be a tensor", i,
                               type_text(arena, type));
    return NULL;
}

struct error *infer_check_classes(struct arena *arena, const struct op *op, int i, unsigned classes)
{
    TRY(infer_check_tensor(arena, op, i));
    const struct type *type = infer_check_type(op, i);
    if (!(infer_check_class(type->shape.dtype) & classes))
        return infer_check_bad(
            arena, op, "operand %d is %s; its elements must be%s%s%s%s", i, type_text(arena, type),
            classes & INFER_PRED ? " pred" : "", classes & INFER_INTEGER ? " integer" : "",
            classes & INFER_FLOAT ? " float" : "", classes & INFER_COMPLEX ? " complex" : "");
    return NULL;
}

struct error *infer_check_scalar(struct arena *arena, const struct op *op, int i, unsigned classes)
{
    TRY(infer_check_classes(arena, op, i, classes));
    if (infer_check_type(op, i)->shape.rank != 0)
        return infer_check_bad(arena, op, "operand %d is %s; it must be a scalar", i,
                               type_text(arena, infer_check_type(op, i)));
    return NULL;
}

struct error *infer_check_same_shape(struct arena *arena, const struct op *op, int i, int j)
{
    if (!type_same_shape(infer_check_type(op, i), infer_check_type(op, j)))
        return infer_check_bad(arena, op,
                               "operand %d is %s and operand %d is %s; they must have equal sizes",
                               i, type_text(arena, infer_check_type(op, i)), j,
                               type_text(arena, infer_check_type(op, j)));
    return NULL;
}

struct error *infer_check_same_dtype(struct arena *arena, const struct op *op, int i, int j)
{
    if (infer_check_type(op, i)->shape.dtype != infer_check_type(op, j)->shape.dtype)
        return infer_check_bad(
            arena, op, "operand %d is %s and operand %d is %s; they must have equal element types",
            i, type_text(arena, infer_check_type(op, i)), j,
            type_text(arena, infer_check_type(op, j)));
    return NULL;
}

/* ---- results --------------------------------------------------------------------------------- */

struct error *infer_check_result(struct arena *arena, struct op *op, int i, const struct type *type)
{
    if (i >= op->result_count)
        return infer_check_bad(arena, op, "has %d results; at least %d are needed",
                               op->result_count, i + 1);
    struct value *result = &op->results[i];
    if (!result->type)
        result->type = type_plain(arena, type);
    else if (!type_same(result->type, type))
        return infer_check_bad(arena, op, "result %d is declared as %s; it must be %s", i,
                               type_text(arena, result->type), type_text(arena, type));
    return NULL;
}

struct error *infer_check_result_dims(struct arena *arena, struct op *op, int i, enum dtype dtype,
                                      int rank, const int64_t *dims)
{
    const struct type plain = {
        .kind = TYPE_TENSOR, .shape.dtype = dtype, .shape.rank = rank, .shape.dims = dims};
    if (i < op->result_count && op->results[i].type && type_same(op->results[i].type, &plain))
        return NULL; /* the common case allocates nothing */
    return infer_check_result(arena, op, i, type_tensor(arena, dtype, rank, dims));
}

struct error *infer_check_declared(struct arena *arena, const struct op *op, int i)
{
    if (i >= op->result_count || !op->results[i].type)
        return infer_check_bad(arena, op, "result %d has no type; it must be declared", i);
    const struct type *type = op->results[i].type;
    if (type->kind != TYPE_TENSOR || !infer_check_class(type->shape.dtype))
        return infer_check_bad(arena, op, "result %d is %s; it must be a tensor", i,
                               type_text(arena, type));
    return NULL;
}

/* ---- attributes ------------------------------------------------------------------------------ */

struct error *infer_check_range(struct arena *arena, const struct op *op, const char *name,
                                int64_t value, int64_t low, int64_t high)
{
    if (value < low || value > high)
        return infer_check_bad(arena, op,
                               "%s is %" PRId64 "; it must be in [%" PRId64 ", %" PRId64 "]", name,
                               value, low, high);
    return NULL;
}

struct error *infer_check_list(struct arena *arena, const struct op *op, const char *name,
                               struct dims list, int64_t count, int64_t low, int64_t high)
{
    if (list.count != count)
        return infer_check_bad(arena, op, "%s has %" PRId64 " entries; it must have %" PRId64, name,
                               list.count, count);
    for (int64_t i = 0; i < count; i++)
        TRY(infer_check_range(arena, op, name, list.at[i], low, high));
    return NULL;
}

struct error *infer_check_distinct(struct arena *arena, const struct op *op, const char *name,
                                   struct dims list, int64_t limit)
{
    uint64_t seen = 0; /* limit is a rank, at most SHAPE_MAX_RANK; twice that for scatter */
    for (int64_t i = 0; i < list.count; i++) {
        TRY(infer_check_range(arena, op, name, list.at[i], 0, limit - 1));
        if (seen >> list.at[i] & 1)
            return infer_check_bad(
                arena, op, "%s lists dimension %" PRId64 " twice; dimensions must be unique", name,
                list.at[i]);
        seen |= (uint64_t)1 << list.at[i];
    }
    return NULL;
}

void infer_check_default(struct arena *arena, struct dims *list, int64_t count, int64_t value)
{
    if (list->count != 0 || count == 0)
        return;
    int64_t *at = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        at[i] = value;
    list->count = count;
    list->at = at;
}

void infer_check_default_pairs(struct arena *arena, struct pairs *pairs, int64_t rows)
{
    if (pairs->rows != 0 || rows == 0)
        return;
    pairs->rows = rows;
    pairs->columns = 2;
    pairs->at = ARENA_ARRAY(arena, int64_t, (size_t)rows * 2);
}

/* ---- regions --------------------------------------------------------------------------------- */

struct error *infer_check_regions(struct arena *arena, const struct op *op, int count)
{
    if (op->region_count != count)
        return infer_check_bad(arena, op, "has %d regions; it must have %d", op->region_count,
                               count);
    for (int i = 0; i < count; i++)
        if (!op->regions[i] || !op->regions[i]->last || op->regions[i]->last->code != OP_return)
            return infer_check_bad(arena, op, "region %d must end with return", i);
    return NULL;
}

struct error *infer_check_scalar_arguments(struct arena *arena, const struct op *op, int r,
                                           int count)
{
    const struct block *block = op->regions[r];
    if (block->argument_count != count)
        return infer_check_bad(arena, op, "region %d has %d arguments; it must have %d", r,
                               block->argument_count, count);
    for (int i = 0; i < count; i++) {
        const struct type *type = block->arguments[i].type;
        if (type->kind != TYPE_TENSOR || type->shape.rank != 0 ||
            !infer_check_class(type->shape.dtype))
            return infer_check_bad(arena, op, "argument %d of region %d is %s; it must be a scalar",
                                   i, r, type_text(arena, type));
    }
    return NULL;
}

const struct op *infer_check_return(const struct op *op, int r)
{
    return op->regions[r]->last;
}

/* To the same class and at least as many bits, so that no value is lost before the reduction. */
static bool promotable(enum dtype from, enum dtype to)
{
    return infer_check_class(from) == infer_check_class(to) &&
           dtype_info(from)->bits <= dtype_info(to)->bits;
}

struct error *infer_check_reducer(struct arena *arena, const struct op *op, int r, int count,
                                  int from)
{
    TRY(infer_check_scalar_arguments(arena, op, r, 2 * count));
    const struct op *ret = infer_check_return(op, r);
    if (ret->operand_count != count)
        return infer_check_bad(arena, op, "region %d returns %d values; it must return %d", r,
                               ret->operand_count, count);
    for (int i = 0; i < count; i++) {
        const struct type *left = op->regions[r]->arguments[i].type;
        if (!type_same(left, op->regions[r]->arguments[count + i].type) ||
            !type_same(left, infer_check_type(ret, i)))
            return infer_check_bad(
                arena, op, "region %d combines %s and %s to %s; the types must be equal", r,
                type_text(arena, left), type_text(arena, op->regions[r]->arguments[count + i].type),
                type_text(arena, infer_check_type(ret, i)));
        if (!promotable(infer_check_type(op, from + i)->shape.dtype, left->shape.dtype))
            return infer_check_bad(
                arena, op,
                "region %d combines %s, to which operand %d of type %s cannot be "
                "promoted",
                r, type_text(arena, left), from + i,
                type_text(arena, infer_check_type(op, from + i)));
    }
    return NULL;
}

struct error *infer_check_returns_pred(struct arena *arena, const struct op *op, int r)
{
    const struct op *ret = infer_check_return(op, r);
    const struct type *type = ret->operand_count == 1 ? infer_check_type(ret, 0) : NULL;
    if (!type || type->kind != TYPE_TENSOR || type->shape.rank != 0 ||
        type->shape.dtype != DTYPE_PRED)
        return infer_check_bad(arena, op, "region %d returns %s; it must return one tensor<i1>", r,
                               type ? type_text(arena, type) : "several values or none");
    return NULL;
}

/* ---- windows --------------------------------------------------------------------------------- */

#define DILATED_LIMIT (INT64_MAX / 8) /* sums of a few such sizes do not overflow */

/* The size of `size` elements with `dilation` - 1 holes between them; false on overflow. */
static bool dilated(int64_t size, int64_t dilation, int64_t *out)
{
    if (size == 0) {
        *out = 0;
        return true;
    }
    return !__builtin_mul_overflow(size - 1, dilation, out) &&
           !__builtin_add_overflow(*out, 1, out);
}

struct error *infer_check_window(struct arena *arena, const struct op *op, int64_t in,
                                 const struct infer_window *window, int64_t *out)
{
    TRY(infer_check_range(arena, op, "window size", window->size, 1, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "window stride", window->stride, 1, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "padding", window->low, -INFER_MAX_SIZE, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "padding", window->high, -INFER_MAX_SIZE, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "base dilation", window->base_dilation, 1, INFER_MAX_SIZE));
    TRY(infer_check_range(arena, op, "window dilation", window->window_dilation, 1,
                          INFER_MAX_SIZE));
    int64_t base, span;
    if (!dilated(in, window->base_dilation, &base) ||
        !dilated(window->size, window->window_dilation, &span) ||
        __builtin_add_overflow(base, window->low + window->high, &base) || base > DILATED_LIMIT ||
        span > DILATED_LIMIT)
        return infer_check_bad(arena, op, "the size of a dilated dimension overflows");
    *out = base < span || base <= 0 ? 0 : (base - span) / window->stride + 1;
    return NULL;
}
