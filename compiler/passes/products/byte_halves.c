/* byte_halves.c: see byte_halves.h. */
#include "compiler/passes/products/byte_halves.h"

#include <stddef.h>
#include <string.h>

#include "compiler/analysis/constants.h"
#include "compiler/schedule/thin_dot.h"
#include "compiler/ir/build.h"
#include "compiler/passes/fold/fold_eval.h"
#include "compiler/passes/rewrite/rewrite.h"

#define BYTES (UINT8_MAX + 1)
#define HALVES (1 << 4)

static enum dtype dtype_of(const struct value *value)
{
    return value->type->shape.dtype;
}

/* Whether a value's elements are computed of those of its operands with the same index. */
static bool is_elementwise(const struct op *op)
{
    return op && op->result_count == 1 && op->region_count == 0 &&
           op->operand_count <= FOLD_EVAL_MAX_OPERANDS && op->code != OP_copy &&
           (op->code == OP_reshape || op_info(op->code)->traits & OP_ELEMENTWISE);
}

/* The array of bytes that a value is computed of, element by element, by at most *left operations;
 * NULL: there is none. */
static struct value *bytes_of(struct value *value, int *left)
{
    const bool is_byte =
        dtype_is_integer(dtype_of(value)) && dtype_info(dtype_of(value))->bits == 8;
    struct value *found = NULL, *own = is_byte ? value : NULL;
    if (--*left < 0 || !is_elementwise(value->def))
        return own;
    for (int i = 0; i < value->def->operand_count; i++) {
        if (constants_is_splat(value->def->operands[i]))
            continue;
        struct value *deeper = bytes_of(value->def->operands[i], left);
        if (!deeper || (found && found != deeper))
            return own;
        found = deeper;
    }
    return found ? found : own;
}

/* ---- evaluation ------------------------------------------------------------------------------ */
struct number { /* an element of any type */
    _Alignas(max_align_t) unsigned char bytes[sizeof(double[2])];
};

/* An element of a value where that of `bytes` is a byte. */
static bool evaluate(const struct value *value, const struct value *bytes, uint8_t byte,
                     struct number *out)
{
    struct number numbers[FOLD_EVAL_MAX_OPERANDS];
    const void *operands[FOLD_EVAL_MAX_OPERANDS];
    const struct op *op = value->def;
    if (value == bytes) {
        out->bytes[0] = byte;
        return true;
    }
    if (constants_is_splat(value)) {
        memcpy(out->bytes, constants_literal(value)->bytes, (size_t)dtype_bytes(dtype_of(value)));
        return true;
    }
    for (int i = 0; i < op->operand_count; i++) {
        if (!evaluate(op->operands[i], bytes, byte, &numbers[i]))
            return false;
        operands[i] = numbers[i].bytes;
    }
    const int chosen = op->code == OP_select ? (numbers[0].bytes[0] ? 1 : 2) : 0;
    if (op->code == OP_reshape || op->code == OP_select) {
        *out = numbers[chosen];
        return true;
    }
    return fold_eval_element(op, dtype_of(op->operands[0]), operands, dtype_of(value), out->bytes);
}

struct half { /* a function of the low bits (shift 0) or the high ones (4) of a byte */
    double numbers[HALVES];
    int shift;
};

static bool depends_on(const double *numbers, int shift)
{
    for (int byte = 0; byte < BYTES; byte++)
        if (numbers[byte] != numbers[byte & 15 << shift])
            return false;
    return true;
}

static bool half_of(const struct value *value, const struct value *bytes, struct half *out)
{
    struct number number;
    double numbers[BYTES];
    for (int byte = 0; byte < BYTES; byte++) {
        if (!evaluate(value, bytes, (uint8_t)byte, &number))
            return false;
        numbers[byte] = dtype_to_double(dtype_of(value), number.bytes);
    }
    out->shift = depends_on(numbers, 0) ? 0 : 4;
    for (int i = 0; i < HALVES; i++)
        out->numbers[i] = numbers[i << out->shift];
    return depends_on(numbers, out->shift);
}

/* The type of 4 bits whose numbers a function gives, but for a number that is added to them. */
static enum dtype type_of(const struct half *half)
{
    bool is_unsigned = true, is_signed = true;
    for (int i = 0; i < HALVES; i++) {
        const double number = half->numbers[i] - half->numbers[0];
        is_unsigned &= number == i;
        is_signed &= number == (i ^ 8) - 8;
    }
    return is_unsigned ? DTYPE_U4 : is_signed ? DTYPE_S4 : DTYPE_INVALID;
}

/* ---- the rewrite ----------------------------------------------------------------------------- */
/* Bytes in the shape of a part of the concatenation, with a dimension of halves in front of that
 * along which parts follow one another. */
static struct value *split(struct builder *b, struct value *bytes, const struct op *concatenate,
                           enum dtype dtype, bool high_first)
{
    struct arena *arena = b->module->arena;
    const struct shape *part = &concatenate->operands[0]->type->shape;
    const int rank = part->rank;
    const int64_t along = concatenate->attrs.dimension.dimension, last = rank;
    int64_t dims[SHAPE_MAX_RANK], order[SHAPE_MAX_RANK];
    for (int i = 0; i < rank; i++)
        dims[i] = part->dims[i];
    struct value *value = build_reshape(b, bytes, rank, dims);
    dims[rank] = 2;
    const struct type *pairs = type_tensor(arena, dtype, rank + 1, dims);
    value = build_declared(b, OP_bitcast_convert, 1, &value, pairs, NULL);
    if (high_first) {
        const union attrs attrs = {.dimensions.dimensions = rewrite_dims(b->module, &last, 1)};
        value = build_declared(b, OP_reverse, 1, &value, NULL, &attrs);
    }
    for (int i = 0; i <= rank; i++)
        order[i] = i < along ? i : i == along ? rank : i - 1;
    return build_transpose(b, value, order);
}

static struct value *build(struct module *module, const struct op *concatenate, struct value *bytes,
                           const struct half *first)
{
    struct builder b = rewrite_before(module, concatenate);
    const struct type *type = concatenate->results[0].type;
    struct value *value = split(&b, bytes, concatenate, type_of(first), first->shift == 4);
    value = build_reshape(&b, value, type->shape.rank, type->shape.dims);
    value = build_convert(&b, value, type->shape.dtype);
    if (first->numbers[0] != 0)
        value = build_binary(&b, OP_subtract, value, build_splat(&b, type, -first->numbers[0]));
    return value;
}

static bool are_equal(const struct half *a, const struct half *b)
{
    for (int i = 0; i < HALVES; i++)
        if (a->numbers[i] != b->numbers[i])
            return false;
    return a->shift != b->shift;
}

struct value *byte_halves_build(struct module *module, struct op *concatenate)
{
    struct half halves[2];
    if (concatenate->code != OP_concatenate || concatenate->operand_count != 2 ||
        concatenate->operands[0]->type->shape.rank == SHAPE_MAX_RANK ||
        !shape_equal(&concatenate->operands[0]->type->shape,
                     &concatenate->operands[1]->type->shape))
        return NULL;
    int left = THIN_DOT_MEMBERS;
    struct value *bytes = bytes_of(concatenate->operands[0], &left);
    if (!bytes || bytes_of(concatenate->operands[1], &left) != bytes || left < 0)
        return NULL;
    for (int i = 0; i < 2; i++)
        if (!half_of(concatenate->operands[i], bytes, &halves[i]))
            return NULL;
    if (!are_equal(&halves[0], &halves[1]) || !type_of(&halves[0]))
        return NULL;
    return build(module, concatenate, bytes, &halves[0]);
}
