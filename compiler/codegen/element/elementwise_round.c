/* elementwise_round.c: which results of elementwise operations are rounded, and how. */
#include <math.h>

#include "base/fpu.h"
#include "compiler/codegen/element/elementwise.h"

/* Operations whose result is one of the operands, or is exact for other reasons. */
static bool is_exact(enum op_code code)
{
    switch (code) {
    case OP_abs:
    case OP_negate:
    case OP_maximum:
    case OP_minimum:
    case OP_clamp:
    case OP_sign:
    case OP_copy:
    case OP_floor:
    case OP_ceil:
    case OP_round_nearest_afz:
    case OP_round_nearest_even:
    case OP_compare:
    case OP_is_finite:
    case OP_and:
    case OP_or:
    case OP_xor:
    case OP_not: return true;
    default: return false;
    }
}

/* Types narrower than a byte are kept sign- or zero-extended to a byte. These operations do not
 * preserve that: -(-8) must be -8 in a 4-bit type. */
static bool leaves_width(const struct elementwise *w)
{
    return dtype_is_integer(w->dtype) && dtype_info(w->dtype)->bits < 8 &&
           (w->code == OP_abs || w->code == OP_negate || w->code == OP_not);
}

static bool has_minus_zero(enum dtype dtype)
{
    uint64_t bits = 0;
    dtype_from_double(dtype, -0.0, &bits);
    double zero = dtype_to_double(dtype, &bits);
    return zero == 0 && signbit(zero);
}

/* Whether the greatest floats of the type are integers: those of f8e3m4 are not. */
static bool ends_in_integers(enum dtype dtype)
{
    const struct dtype_info *info = dtype_info(dtype);
    return (1 << info->exponent_bits) - 2 - info->exponent_bias >= info->significand_bits - 1;
}

/* Some small floats have no -0, or no integer beyond their greatest number. */
static bool leaves_small_float(const struct elementwise *w)
{
    if (!dtype_is_float(w->dtype) || dtype_info(w->dtype)->bits > 8)
        return false;
    switch (w->code) {
    case OP_negate: return !has_minus_zero(w->dtype);
    case OP_floor:
    case OP_ceil:
    case OP_round_nearest_afz:
    case OP_round_nearest_even: return !has_minus_zero(w->dtype) || !ends_in_integers(w->dtype);
    default: return false;
    }
}

/* Whether all lanes of a value are the same constant, a power of two. */
static bool is_power_of_two(LLVMValueRef value)
{
    LLVMBool loses;
    int exponent;
    if (!LLVMIsConstant(value))
        return false;
    if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind) {
        LLVMValueRef first = LLVMGetAggregateElement(value, 0);
        for (unsigned i = 1; i < LLVMGetVectorSize(LLVMTypeOf(value)); i++)
            if (LLVMGetAggregateElement(value, i) != first)
                return false;
        value = first;
    }
    return value && LLVMIsAConstantFP(value) &&
           fabs(frexp(LLVMConstRealGetDouble(value, &loses), &exponent)) == 0.5;
}

/* Twice a bf16, or its product with a power of two: bf16 has f32's exponents, and its denormals are
 * zero like those of f32. */
static bool scales_exactly(const struct elementwise *w)
{
    if (w->dtype != DTYPE_BF16 || !fpu_flushes())
        return false;
    return (w->code == OP_add && w->in[0] == w->in[1]) ||
           (w->code == OP_multiply && (is_power_of_two(w->in[0]) || is_power_of_two(w->in[1])));
}

static bool is_16_bit_float(enum dtype dtype)
{
    return dtype == DTYPE_BF16 || dtype == DTYPE_F16;
}

static bool is_arithmetic(enum op_code code)
{
    return code == OP_add || code == OP_subtract || code == OP_multiply || code == OP_divide;
}

LLVMValueRef elementwise_round(const struct elementwise *w, LLVMValueRef value)
{
    if ((is_exact(w->code) && !leaves_width(w) && !leaves_small_float(w)) || scales_exactly(w))
        return value;
    if (!is_16_bit_float(w->dtype))
        return element_round(w->e, w->dtype, value);
    if (w->e->target->excess_precision)
        return value;
    return is_arithmetic(w->code) ? element_round_arithmetic(w->e, w->dtype, value)
                                  : element_round(w->e, w->dtype, value);
}

bool elementwise_has_excess(const struct emitter *e, const struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    const struct op *def = value->def;
    if (!is_16_bit_float(dtype) || !e->target->excess_precision)
        return false;
    while (def && def->operand_count == 1 && def->operands[0]->type->shape.dtype == dtype &&
           (is_exact(def->code) || !(op_info(def->code)->traits & OP_ELEMENTWISE)))
        def = def->operands[0]->def;
    return def && def->code != OP_convert && def->code != OP_reduce;
}
