/* elementwise_integer.c: integers and predicates (one-bit integers). */
#include "compiler/codegen/element/elementwise.h"

static LLVMValueRef constant(const struct elementwise *w, int64_t value)
{
    return emitter_int_like(w->type, value);
}

static int width_of(const struct elementwise *w)
{
    return w->dtype == DTYPE_PRED ? 1 : dtype_bytes(w->dtype) * 8;
}

/* Whether elements are divided as floats: processors divide vectors of those only. */
static bool divides_as_floats(const struct elementwise *w)
{
    int width = width_of(w);
    return LLVMGetTypeKind(w->type) == LLVMVectorTypeKind && !LLVMIsConstant(w->in[1]) &&
           (width < 32 ||
            (width == 32 && (element_is_signed(w->dtype) || w->e->target->isa.unsigned_to_float)));
}

/* The quotient of numbers of 16 bits in f32, or of 32 bits in f64, is so near to the exact one that
 * no integer is between them. */
static LLVMValueRef divide_floats(const struct elementwise *w, bool remainder, LLVMValueRef x,
                                  LLVMValueRef y)
{
    LLVMBuilderRef b = w->e->builder;
    int lanes = (int)LLVMGetVectorSize(w->type);
    bool is_signed = element_is_signed(w->dtype), is_small = width_of(w) < 32;
    LLVMTypeRef integers = emitter_vector(w->e->i32, lanes),
                floats = emitter_vector(is_small ? w->e->f32 : w->e->f64, lanes);
    LLVMOpcode widen = is_signed ? LLVMSExt : LLVMZExt,
               to_float = is_signed || is_small ? LLVMSIToFP : LLVMUIToFP,
               to_integer = is_signed || is_small ? LLVMFPToSI : LLVMFPToUI;
    x = is_small ? LLVMBuildCast(b, widen, x, integers, "") : x;
    y = is_small ? LLVMBuildCast(b, widen, y, integers, "") : y;
    LLVMValueRef quotient = LLVMBuildFDiv(b, LLVMBuildCast(b, to_float, x, floats, ""),
                                          LLVMBuildCast(b, to_float, y, floats, ""), "");
    LLVMValueRef result = LLVMBuildCast(b, to_integer, quotient, integers, "");
    if (remainder)
        result = LLVMBuildSub(b, x, LLVMBuildMul(b, result, y, ""), "");
    return is_small ? LLVMBuildTrunc(b, result, w->type, "") : result;
}

/* For y other than 0, and other than -1 if x may be INT_MIN. */
static LLVMValueRef divide_some(const struct elementwise *w, bool remainder, LLVMValueRef x,
                                LLVMValueRef y)
{
    LLVMBuilderRef b = w->e->builder;
    if (divides_as_floats(w))
        return divide_floats(w, remainder, x, y);
    if (element_is_signed(w->dtype))
        return remainder ? LLVMBuildSRem(b, x, y, "") : LLVMBuildSDiv(b, x, y, "");
    return remainder ? LLVMBuildURem(b, x, y, "") : LLVMBuildUDiv(b, x, y, "");
}

/* x / 0 is -1, and INT_MIN / -1 is INT_MIN. Both would trap, so the divisor is replaced first. */
static LLVMValueRef divide(const struct elementwise *w, bool remainder)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = w->in[0], y = w->in[1], one = constant(w, 1), zero = constant(w, 0);
    LLVMValueRef by_zero = LLVMBuildICmp(b, LLVMIntEQ, y, zero, ""), result;
    if (!element_is_signed(w->dtype)) {
        y = LLVMBuildSelect(b, by_zero, one, y, "");
        result = divide_some(w, remainder, x, y);
    } else {
        LLVMValueRef negate = LLVMBuildICmp(b, LLVMIntEQ, y, constant(w, -1), "");
        y = LLVMBuildSelect(b, LLVMBuildOr(b, by_zero, negate, ""), one, y, "");
        result = divide_some(w, remainder, x, y);
        if (!remainder)
            result = LLVMBuildSelect(b, negate, LLVMBuildNeg(b, x, ""), result, "");
    }
    return LLVMBuildSelect(b, by_zero, remainder ? x : constant(w, -1), result, "");
}

static LLVMValueRef shift(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    int width = width_of(w), bits = dtype_info(w->dtype)->bits;
    LLVMValueRef x = w->in[0], by = w->in[1];
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, by, constant(w, bits), "");
    if (w->code == OP_shift_right_arithmetic) {
        by = LLVMBuildSelect(b, fits, by, constant(w, width - 1), "");
        if (!element_is_signed(w->dtype) && bits < 8) { /* the sign bit is below i8's */
            LLVMValueRef up = constant(w, 8 - bits);
            x = LLVMBuildAShr(b, LLVMBuildShl(b, x, up, ""), up, "");
        }
        return LLVMBuildAShr(b, x, by, "");
    }
    if (w->code == OP_shift_right_logical && bits < 8)
        x = LLVMBuildAnd(b, x, constant(w, (1 << bits) - 1), "");
    LLVMValueRef safe = LLVMBuildSelect(b, fits, by, constant(w, 0), "");
    LLVMValueRef shifted =
        w->code == OP_shift_left ? LLVMBuildShl(b, x, safe, "") : LLVMBuildLShr(b, x, safe, "");
    return LLVMBuildSelect(b, fits, shifted, constant(w, 0), "");
}

/* Exponentiation by squaring. A negative exponent gives 1 / x^-n in integer arithmetic: 0 unless x
 * is 1 or -1. */
static LLVMValueRef power(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef base = w->in[0], n = w->in[1], result = constant(w, 1), zero = constant(w, 0);
    LLVMValueRef one = constant(w, 1), odd = LLVMBuildAnd(b, n, one, "");
    for (int i = 0; i < dtype_info(w->dtype)->bits; i++) {
        LLVMValueRef bit = LLVMBuildAnd(b, LLVMBuildLShr(b, n, constant(w, i), ""), one, "");
        LLVMValueRef set = LLVMBuildICmp(b, LLVMIntNE, bit, zero, "");
        result = LLVMBuildSelect(b, set, LLVMBuildMul(b, result, base, ""), result, "");
        base = LLVMBuildMul(b, base, base, "");
    }
    if (!element_is_signed(w->dtype))
        return result;
    LLVMValueRef x = w->in[0], is_one = LLVMBuildICmp(b, LLVMIntEQ, x, one, "");
    LLVMValueRef is_minus = LLVMBuildICmp(b, LLVMIntEQ, x, constant(w, -1), "");
    LLVMValueRef is_odd = LLVMBuildICmp(b, LLVMIntNE, odd, zero, "");
    LLVMValueRef sign = LLVMBuildSelect(b, is_odd, constant(w, -1), one, "");
    LLVMValueRef inverse =
        LLVMBuildSelect(b, is_minus, sign, LLVMBuildSelect(b, is_one, one, zero, ""), "");
    LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, n, zero, "");
    return LLVMBuildSelect(b, negative, inverse, result, "");
}

static LLVMValueRef count_bits(const struct elementwise *w)
{
    struct emitter *e = w->e;
    int unused = width_of(w) - dtype_info(w->dtype)->bits;
    LLVMValueRef x = w->in[0];
    if (unused)
        x = LLVMBuildAnd(e->builder, x, constant(w, (1 << dtype_info(w->dtype)->bits) - 1), "");
    if (w->code == OP_popcnt)
        return emitter_unary(e, "llvm.ctpop", x);
    LLVMValueRef arguments[] = {x, LLVMConstNull(e->i1)};
    x = emitter_intrinsic(e, "llvm.ctlz", 1, &w->type, 2, arguments);
    return LLVMBuildSub(e->builder, x, constant(w, unused), "");
}

static LLVMValueRef compare(const struct elementwise *w)
{
    static const LLVMIntPredicate of_signed[] = {
        [COMPARE_EQ] = LLVMIntEQ,  [COMPARE_NE] = LLVMIntNE,  [COMPARE_GE] = LLVMIntSGE,
        [COMPARE_GT] = LLVMIntSGT, [COMPARE_LE] = LLVMIntSLE, [COMPARE_LT] = LLVMIntSLT};
    static const LLVMIntPredicate of_unsigned[] = {
        [COMPARE_EQ] = LLVMIntEQ,  [COMPARE_NE] = LLVMIntNE,  [COMPARE_GE] = LLVMIntUGE,
        [COMPARE_GT] = LLVMIntUGT, [COMPARE_LE] = LLVMIntULE, [COMPARE_LT] = LLVMIntULT};
    enum comparison direction = w->op->attrs.compare.comparison_direction;
    const LLVMIntPredicate *table = element_is_signed(w->dtype) ? of_signed : of_unsigned;
    return LLVMBuildICmp(w->e->builder, table[direction], w->in[0], w->in[1], "");
}

static LLVMValueRef extreme(const struct elementwise *w, bool maximum, LLVMValueRef x,
                            LLVMValueRef y)
{
    if (w->dtype == DTYPE_PRED)
        return maximum ? LLVMBuildOr(w->e->builder, x, y, "")
                       : LLVMBuildAnd(w->e->builder, x, y, "");
    const char *name = element_is_signed(w->dtype) ? (maximum ? "llvm.smax" : "llvm.smin")
                                                   : (maximum ? "llvm.umax" : "llvm.umin");
    return emitter_binary(w->e, name, x, y);
}

static LLVMValueRef sign(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef zero = constant(w, 0);
    LLVMValueRef some = LLVMBuildICmp(b, LLVMIntNE, w->in[0], zero, "");
    LLVMValueRef result = LLVMBuildSelect(b, some, constant(w, 1), zero, "");
    if (!element_is_signed(w->dtype))
        return result;
    LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, w->in[0], zero, "");
    return LLVMBuildSelect(b, negative, constant(w, -1), result, "");
}

static LLVMValueRef absolute(const struct elementwise *w)
{
    LLVMValueRef arguments[] = {w->in[0], LLVMConstNull(w->e->i1)};
    return element_is_signed(w->dtype)
               ? emitter_intrinsic(w->e, "llvm.abs", 1, &w->type, 2, arguments)
               : w->in[0];
}

/* On predicates, add is `or` and multiply is `and`. */
static LLVMValueRef predicate(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    switch (w->code) {
    case OP_add: return LLVMBuildOr(b, w->in[0], w->in[1], "");
    case OP_multiply: return LLVMBuildAnd(b, w->in[0], w->in[1], "");
    case OP_not: return LLVMBuildNot(b, w->in[0], "");
    default: return NULL;
    }
}

LLVMValueRef elementwise_integer_emit(const struct elementwise *w)
{
    LLVMBuilderRef b = w->e->builder;
    LLVMValueRef x = w->in[0], y = w->in[1];
    LLVMValueRef done = w->dtype == DTYPE_PRED ? predicate(w) : NULL;
    if (done)
        return done;
    switch (w->code) {
    case OP_add: return LLVMBuildAdd(b, x, y, "");
    case OP_subtract: return LLVMBuildSub(b, x, y, "");
    case OP_multiply: return LLVMBuildMul(b, x, y, "");
    case OP_divide: return divide(w, false);
    case OP_remainder: return divide(w, true);
    case OP_negate: return LLVMBuildNeg(b, x, "");
    case OP_abs: return absolute(w);
    case OP_sign: return sign(w);
    case OP_and: return LLVMBuildAnd(b, x, y, "");
    case OP_or: return LLVMBuildOr(b, x, y, "");
    case OP_xor: return LLVMBuildXor(b, x, y, "");
    case OP_not: return LLVMBuildNot(b, x, "");
    case OP_maximum: return extreme(w, true, x, y);
    case OP_minimum: return extreme(w, false, x, y);
    case OP_clamp: return extreme(w, false, extreme(w, true, x, y), w->in[2]);
    case OP_compare: return compare(w);
    case OP_power: return power(w);
    case OP_popcnt:
    case OP_count_leading_zeros: return count_bits(w);
    case OP_shift_left:
    case OP_shift_right_logical:
    case OP_shift_right_arithmetic: return shift(w);
    default: return NULL;
    }
}
