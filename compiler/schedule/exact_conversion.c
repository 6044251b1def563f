/* exact_conversion.c: see exact_conversion.h. */
#include "compiler/schedule/exact_conversion.h"

#include <limits.h>

#include "compiler/analysis/constants.h"

enum { MOST_CONSTANTS = 1 << 16, STEPS_OF_TWO = EXACT_CONVERSION_STEPS / 4 };

static int bits_of(enum dtype dtype)
{
    return dtype_info(dtype)->bits;
}

static int bits_of_constant(const struct literal *literal)
{
    const int64_t count = literal->splat ? 1 : type_elements(literal->type);
    const enum dtype dtype = literal->type->shape.dtype;
    const char *at = literal->bytes;
    int bits = 1;
    for (int64_t i = 0; i < count && count <= MOST_CONSTANTS; i++, at += dtype_bytes(dtype)) {
        const int64_t number = dtype_to_int64(dtype, at);
        while (bits < 64 &&
               (number >= INT64_C(1) << (bits - 1) || number < -(INT64_C(1) << (bits - 1))))
            bits++;
    }
    return count <= MOST_CONSTANTS ? bits : bits_of(dtype);
}

static int bits_needed(const struct value *value, int steps);

static int most_bits_needed(const struct op *op, int steps)
{
    const int a = bits_needed(op->operands[0], steps + STEPS_OF_TWO),
              b = bits_needed(op->operands[1], steps + STEPS_OF_TWO);
    return a > b ? a : b;
}

/* The bits that a mask which is no negative number leaves of any. */
static int bits_of_mask(const struct value *mask)
{
    const struct literal *literal = constants_literal(mask);
    return literal && literal->splat &&
                   dtype_to_int64(literal->type->shape.dtype, literal->bytes) >= 0
               ? bits_of_constant(literal)
               : INT_MAX;
}

/* The same as bits_needed() by an operation; INT_MAX where it does not say. */
static int bits_of_result(const struct op *op, int steps)
{
    switch (op->code) {
    case OP_constant: return bits_of_constant(op->attrs.constant.value);
    case OP_and: {
        const int a = bits_of_mask(op->operands[0]), b = bits_of_mask(op->operands[1]);
        return a < b ? a : b;
    }
    case OP_add: return most_bits_needed(op, steps) + 1;
    case OP_maximum:
    case OP_minimum: return most_bits_needed(op, steps);
    case OP_convert:
    case OP_broadcast_in_dim:
    case OP_reshape:
    case OP_transpose:
        return dtype_is_integer(ir_dtype(op->operands[0])) ? bits_needed(op->operands[0], steps)
                                                           : INT_MAX;
    default: return INT_MAX;
    }
}

/* How many bits the numbers of an array of integers need, with a sign. */
static int bits_needed(const struct value *value, int steps)
{
    const struct op *op = value->def;
    const int all =
        bits_of(ir_dtype(value)) + (dtype_info(ir_dtype(value))->class == CLASS_UNSIGNED);
    if (!op || steps >= EXACT_CONVERSION_STEPS || !dtype_is_integer(ir_dtype(value)))
        return all;
    const int bits = bits_of_result(op, steps + 1);
    return bits < all ? bits : all;
}

/* Differences of integers do not wrap around if these need few bits. */
static int bits_of_difference(const struct op *subtract)
{
    const int a = bits_needed(subtract->operands[0], 0), b = bits_needed(subtract->operands[1], 0);
    return (a > b ? a : b) + 1;
}

bool exact_conversion_difference(const struct op *op)
{
    const enum dtype dtype = ir_dtype(&op->results[0]);
    return dtype_is_float(dtype) ||
           (dtype_info(dtype)->class == CLASS_SIGNED && bits_of_difference(op) <= bits_of(dtype));
}

static bool keeps_floats(enum dtype from, enum dtype to)
{
    const struct dtype_info *a = dtype_info(from), *b = dtype_info(to);
    return dtype_is_float(from) && bits_of(from) < bits_of(to) &&
           a->significand_bits <= b->significand_bits && a->exponent_bits <= b->exponent_bits;
}

/* Whether a float has all integers of an array. */
static bool keeps_integers(const struct value *from, enum dtype to)
{
    const struct op *op = from->def;
    int bits = bits_needed(from, 0);
    if (op && op->code == OP_subtract && exact_conversion_difference(op))
        bits = bits_of_difference(op);
    return dtype_is_integer(ir_dtype(from)) && bits - 1 <= dtype_info(to)->significand_bits;
}

bool exact_conversion_is(const struct value *value, enum dtype to)
{
    const enum dtype from = ir_dtype(value);
    if (from == to)
        return true;
    if (dtype_is_float(to))
        return keeps_floats(from, to) || keeps_integers(value, to);
    const bool is_signed = dtype_info(to)->class == CLASS_SIGNED;
    return dtype_is_integer(from) && dtype_is_integer(to) && bits_of(from) < bits_of(to) &&
           (is_signed || dtype_info(from)->class == CLASS_UNSIGNED);
}
