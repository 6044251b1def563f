/* Sine, cosine, tangent, and the angle of a point. Float angles are reduced in double, so both
 * types share one argument reduction. Up to 2^28, it subtracts a multiple of pi/2 in three parts.
 * Beyond that, behind a branch that is rarely taken, it multiplies by as many bits of 2/pi as the
 * exponent requires (Payne and Hanek). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compiler/codegen/vecmath/vecmath_ops.h"

#define LARGE_ANGLE 0x1p28

/* x = quadrant * pi/2 + r + tail, where |r| is at most slightly more than pi/4. */
struct angle {
    V quadrant /* integer; only the low two bits are used */, r, tail;
};

static struct angle reduce_small(const struct vecmath *w, V x)
{
    V n = vm_round(w, vm_mul(w, x, vm_real(w, 0.63661977236758134308)));
    V first = vm_fma(w, n, vm_real(w, -0x1.921fb54400000p+0), x); /* exact: 30 bits times 28 */
    V second = vm_mul(w, n, vm_real(w, 0x1.0b4611a000000p-34));
    V r = vm_sub(w, first, second);
    V lost = vm_sub(w, vm_sub(w, first, r), second);
    V tail = vm_fma(w, n, vm_real(w, -0x1.898cc51701b84p-64), lost);
    V sum = vm_add(w, r, tail);
    return (struct angle){vm_to_int(w, n), sum, vm_sub(w, tail, vm_sub(w, sum, r))};
}

/* ---- large angles ---------------------------------------------------------------------------- */
static const uint32_t two_over_pi[] =
    {/* 32 bits per word; the 64 leading zeros keep every window in bounds */
     0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
     0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
     0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
     0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
     0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
     0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d};
#define WORDS (int)(sizeof two_over_pi / sizeof *two_over_pi)

static V table_of(const struct vecmath *w)
{
    static const char name[] = "two_over_pi";
    V table = LLVMGetNamedGlobal(w->module, name);
    if (table)
        return table;
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(w->scalar));
    V words[WORDS];
    for (int i = 0; i < WORDS; i++)
        words[i] = LLVMConstInt(word, two_over_pi[i], 0);
    table = LLVMAddGlobal(w->module, LLVMArrayType2(word, WORDS), name);
    LLVMSetInitializer(table, LLVMConstArray2(word, words, WORDS));
    LLVMSetGlobalConstant(table, 1);
    LLVMSetLinkage(table, LLVMInternalLinkage);
    return table;
}

static V load_word(const struct vecmath *w, V index)
{
    LLVMTypeRef word = LLVMInt32TypeInContext(LLVMGetTypeContext(w->scalar));
    LLVMTypeRef array = LLVMArrayType2(word, WORDS);
    LLVMTypeRef long_word = LLVMInt64TypeInContext(LLVMGetTypeContext(w->scalar));
    V zero = LLVMConstInt(long_word, 0, 0), table = table_of(w);
    V pointer = LLVMBuildGEP2(w->builder, array, table, (V[]){zero, index}, 2, "");
    V value = LLVMBuildLoad2(w->builder, word, pointer, "");
    return LLVMBuildZExt(w->builder, value, long_word, "");
}

/* Word `index` of the table for each lane, as 64-bit integers. */
static V words_at(const struct vecmath *w, V index)
{
    if (!w->lanes)
        return load_word(w, index);
    LLVMTypeRef position = LLVMInt32TypeInContext(LLVMGetTypeContext(w->scalar));
    V result = LLVMGetPoison(vm_int_type(w));
    for (unsigned i = 0; i < w->lanes; i++) {
        V lane = LLVMConstInt(position, i, 0);
        V word = load_word(w, LLVMBuildExtractElement(w->builder, index, lane, ""));
        result = LLVMBuildInsertElement(w->builder, result, word, lane, "");
    }
    return result;
}

/* 32 bits of 2/pi, starting at bit 32 * index + shift. */
static V window(const struct vecmath *w, V high, V low, V shift)
{
    LLVMBuilderRef b = w->builder;
    V both = LLVMBuildOr(b, LLVMBuildShl(b, high, vm_int(w, 32), ""), low, "");
    V down = LLVMBuildSub(b, vm_int(w, 32), shift, "");
    return LLVMBuildAnd(b, LLVMBuildLShr(b, both, down, ""), vm_int(w, 0xffffffff), "");
}

/* The product of a 53-bit significand and the 192 bits of 2/pi that start at first_bit. out[] is
 * four words, most significant first; the first is the integer part, modulo 2^32. */
static void multiply_window(const struct vecmath *w, V significand, V first_bit, V out[4])
{
    LLVMBuilderRef b = w->builder;
    V index = LLVMBuildLShr(b, first_bit, vm_int(w, 5), "");
    V shift = LLVMBuildAnd(b, first_bit, vm_int(w, 31), "");
    V low = LLVMBuildAnd(b, significand, vm_int(w, 0xffffffff), "");
    V high = LLVMBuildLShr(b, significand, vm_int(w, 32), "");
    V raw[7], bits[6], sums[7];
    for (int i = 0; i < 7; i++)
        raw[i] = words_at(w, LLVMBuildAdd(b, index, vm_int(w, i), ""));
    for (int i = 0; i < 6; i++)
        bits[i] = window(w, raw[i], raw[i + 1], shift);
    for (int i = 0; i < 7; i++)
        sums[i] = vm_int(w, 0);
    V mask = vm_int(w, 0xffffffff);
    /* sums[i] has weight 2^(-32 i). The high half of a product is added to the next more
     * significant sum. */
    for (int i = 5; i >= 0; i--) {
        V parts[2] = {LLVMBuildMul(b, bits[i], low, ""), LLVMBuildMul(b, bits[i], high, "")};
        for (int half = 0; half < 2; half++) {
            int sum = i - half;
            if (sum >= 0)
                sums[sum] = LLVMBuildAdd(b, sums[sum], LLVMBuildAnd(b, parts[half], mask, ""), "");
            if (sum >= 1)
                sums[sum - 1] = LLVMBuildAdd(b, sums[sum - 1],
                                             LLVMBuildLShr(b, parts[half], vm_int(w, 32), ""), "");
        }
    }
    for (int i = 5; i > 0; i--) {
        sums[i - 1] =
            LLVMBuildAdd(b, sums[i - 1], LLVMBuildLShr(b, sums[i], vm_int(w, 32), ""), "");
        sums[i] = LLVMBuildAnd(b, sums[i], mask, "");
    }
    for (int i = 0; i < 4; i++)
        out[i] = LLVMBuildAnd(b, sums[i], mask, "");
}

static struct angle reduce_large(const struct vecmath *w, V x)
{
    LLVMBuilderRef b = w->builder;
    V bits = vm_bits(w, vm_abs(w, x));
    V exponent = LLVMBuildSub(b, LLVMBuildLShr(b, bits, vm_int(w, 52), ""), vm_int(w, 1075), "");
    V significand = LLVMBuildOr(b, LLVMBuildAnd(b, bits, vm_int(w, 0xfffffffffffff), ""),
                                vm_int(w, 0x10000000000000), "");
    /* |x| = significand * 2^exponent. The window begins 32 bits above the product's last integer
     * bit. */
    V p[4];
    multiply_window(w, significand, LLVMBuildAdd(b, exponent, vm_int(w, 32), ""), p);
    V quadrant = p[0];
    V fraction = LLVMBuildOr(b, LLVMBuildShl(b, p[1], vm_int(w, 32), ""), p[2], "");
    V rest = LLVMBuildShl(b, p[3], vm_int(w, 32), "");
    /* Round to the nearest multiple: if the fraction is at least a half, it counts down from the
     * next multiple. Interpreted as a signed number, it has the correct value. */
    quadrant = LLVMBuildAdd(b, quadrant, LLVMBuildLShr(b, fraction, vm_int(w, 63), ""), "");
    V main = LLVMBuildSIToFP(b, LLVMBuildAShr(b, fraction, vm_int(w, 11), ""), w->type, "");
    V left = LLVMBuildOr(
        b, LLVMBuildShl(b, LLVMBuildAnd(b, fraction, vm_int(w, 2047), ""), vm_int(w, 42), ""),
        LLVMBuildLShr(b, rest, vm_int(w, 22), ""), "");
    V small = LLVMBuildSIToFP(b, left, w->type, "");
    V hi_part = vm_mul(w, main, vm_real(w, 0x1p-53)),
      lo_part = vm_mul(w, small, vm_real(w, 0x1p-106));
    V r = vm_mul(w, hi_part, vm_real(w, 0x1.921fb54442d18p+0));
    V tail = vm_fma(w, hi_part, vm_real(w, 0x1.921fb54442d18p+0), vm_neg(w, r));
    tail = vm_fma(w, hi_part, vm_real(w, 0x1.1a62633145c07p-54), tail);
    tail = vm_fma(w, lo_part, vm_real(w, 0x1.921fb54442d18p+0), tail);
    V sum = vm_add(w, r, tail), sum_tail = vm_sub(w, tail, vm_sub(w, sum, r));
    V minus = vm_compare(w, LLVMRealOLT, x, vm_real(w, 0));
    return (struct angle){LLVMBuildSelect(b, minus, LLVMBuildNeg(b, quadrant, ""), quadrant, ""),
                          vm_select(w, minus, vm_neg(w, sum), sum),
                          vm_select(w, minus, vm_neg(w, sum_tail), sum_tail)};
}

static void add_flag(LLVMContextRef context, V function, const char *name)
{
    LLVMAddAttributeAtIndex(
        function, LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(context, LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

/* The attributes that set the vector width must agree in caller and callee, because they determine
 * how arguments are passed. */
static void copy_text_attribute(V from, V to, const char *name)
{
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(from, LLVMAttributeFunctionIndex,
                                                               name, (unsigned)strlen(name));
    if (attribute)
        LLVMAddAttributeAtIndex(to, LLVMAttributeFunctionIndex, attribute);
}

static V declare_large(const struct vecmath *w, const char *name, LLVMTypeRef type, V caller)
{
    LLVMContextRef context = LLVMGetTypeContext(w->scalar);
    V function = LLVMAddFunction(w->module, name, type);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    add_flag(context, function, "nounwind");
    add_flag(context, function, "noinline");
    add_flag(context, function, "cold");
    copy_text_attribute(caller, function, "prefer-vector-width");
    copy_text_attribute(caller, function, "min-legal-vector-width");
    return function;
}

/* reduce_large() generates much code that rarely runs, so it is emitted as one function for each
 * module and vector type. */
static V large_function(const struct vecmath *w, LLVMTypeRef type, LLVMTypeRef result)
{
    char name[32];
    snprintf(name, sizeof name, "large_angle_%u", w->lanes);
    V function = LLVMGetNamedFunction(w->module, name);
    if (function)
        return function;
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
    function = declare_large(w, name, type, LLVMGetBasicBlockParent(here));
    LLVMContextRef context = LLVMGetTypeContext(w->scalar);
    LLVMPositionBuilderAtEnd(w->builder, LLVMAppendBasicBlockInContext(context, function, ""));
    struct angle a = reduce_large(w, LLVMGetParam(function, 0));
    V out = LLVMGetPoison(result), parts[] = {a.quadrant, a.r, a.tail};
    for (unsigned i = 0; i < 3; i++)
        out = LLVMBuildInsertValue(w->builder, out, parts[i], i, "");
    LLVMBuildRet(w->builder, out);
    LLVMPositionBuilderAtEnd(w->builder, here);
    return function;
}

static struct angle call_large(const struct vecmath *w, V x)
{
    LLVMTypeRef parts[] = {vm_int_type(w), w->type, w->type}, parameter = w->type;
    LLVMTypeRef result = LLVMStructTypeInContext(LLVMGetTypeContext(w->scalar), parts, 3, false);
    LLVMTypeRef type = LLVMFunctionType(result, &parameter, 1, false);
    V out = LLVMBuildCall2(w->builder, type, large_function(w, type, result), &x, 1, "");
    return (struct angle){LLVMBuildExtractValue(w->builder, out, 0, ""),
                          LLVMBuildExtractValue(w->builder, out, 1, ""),
                          LLVMBuildExtractValue(w->builder, out, 2, "")};
}

/* True if any lane is true. */
static V any_lane(const struct vecmath *w, V condition)
{
    if (!w->lanes)
        return condition;
    LLVMTypeRef mask = LLVMIntTypeInContext(LLVMGetTypeContext(w->scalar), w->lanes);
    V bits = LLVMBuildBitCast(w->builder, condition, mask, "");
    return LLVMBuildICmp(w->builder, LLVMIntNE, bits, LLVMConstNull(mask), "");
}

static V join(const struct vecmath *w, V large, LLVMBasicBlockRef large_block, V small,
              LLVMBasicBlockRef small_block)
{
    V phi = LLVMBuildPhi(w->builder, LLVMTypeOf(small), "");
    LLVMAddIncoming(phi, (V[]){large, small}, (LLVMBasicBlockRef[]){large_block, small_block}, 2);
    return phi;
}

static struct angle reduce(const struct vecmath *w, V x)
{
    V infinity = vm_real(w, INFINITY), magnitude = vm_abs(w, x);
    V large = vm_compare(w, LLVMRealOGE, magnitude, vm_real(w, LARGE_ANGLE));
    V tame = vm_select(w, large, vm_real(w, 0), x);
    struct angle small =
        reduce_small(w, vm_select(w, vm_compare(w, LLVMRealUNO, x, x), vm_real(w, 0), tame));
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
    V function = LLVMGetBasicBlockParent(here);
    LLVMContextRef context = LLVMGetTypeContext(w->scalar);
    LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(context, function, "large_angle");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(context, function, "angle");
    LLVMBuildCondBr(w->builder, any_lane(w, large), rare, after);
    LLVMPositionBuilderAtEnd(w->builder, rare);
    V infinite = vm_compare(w, LLVMRealOEQ, magnitude, infinity);
    V finite = vm_select(w, infinite, vm_real(w, LARGE_ANGLE), x);
    struct angle big = call_large(w, vm_select(w, large, finite, vm_real(w, LARGE_ANGLE)));
    big.quadrant = vm_select(w, large, big.quadrant, small.quadrant);
    big.r = vm_select(w, large, big.r, small.r),
    big.tail = vm_select(w, large, big.tail, small.tail);
    LLVMBasicBlockRef rare_end = LLVMGetInsertBlock(w->builder);
    LLVMBuildBr(w->builder, after);
    LLVMPositionBuilderAtEnd(w->builder, after);
    return (struct angle){join(w, big.quadrant, rare_end, small.quadrant, here),
                          join(w, big.r, rare_end, small.r, here),
                          join(w, big.tail, rare_end, small.tail, here)};
}

/* ---- sine, cosine, tangent ------------------------------------------------------------------- */
struct sincos {
    V sin, cos;
};

/* Taylor series on |r| <= pi/4. The tail is applied through the first derivative. */
static struct sincos series(const struct vecmath *w, const struct angle *a, bool precise)
{
    double sines[8], cosines[8];
    int count = precise ? 8 : 5;
    double factorial = 1;
    for (int k = 1; k <= count; k++) {
        factorial *= 2 * k;
        cosines[count - k] = (k & 1 ? -1 : 1) / factorial;
        factorial *= 2 * k + 1;
        sines[count - k] = (k & 1 ? -1 : 1) / factorial;
    }
    V z = vm_mul(w, a->r, a->r);
    V sin = vm_fma(w, vm_mul(w, a->r, z), vm_polynomial(w, z, count, sines), a->tail);
    /* 1 - z/2 loses low bits; 1 - (1 - z/2) - z/2 recovers them. */
    V half = vm_mul(w, z, vm_real(w, 0.5)), head = vm_sub(w, vm_real(w, 1), half);
    V lost = vm_sub(w, vm_sub(w, vm_real(w, 1), head), half);
    V rest = vm_mul(w, vm_mul(w, z, z), vm_polynomial(w, z, count - 1, cosines));
    V correction = vm_fma(w, vm_neg(w, a->r), a->tail, lost);
    return (struct sincos){vm_add(w, a->r, sin), vm_add(w, head, vm_add(w, rest, correction))};
}

static V bit_is_set(const struct vecmath *w, V value, int64_t bit)
{
    V masked = LLVMBuildAnd(w->builder, value, vm_int(w, bit), "");
    return LLVMBuildICmp(w->builder, LLVMIntNE, masked, vm_int(w, 0), "");
}

static V no_angle(const struct vecmath *w, V x, V y) /* NaN if x is infinite or NaN */
{
    V finite = vm_compare(w, LLVMRealOLT, vm_abs(w, x), vm_real(w, INFINITY));
    return vm_select(w, finite, y, vm_real(w, NAN));
}

static V in_quadrant(const struct vecmath *w, const struct sincos *s, V quadrant)
{
    V y = vm_select(w, bit_is_set(w, quadrant, 1), s->cos, s->sin);
    return vm_select(w, bit_is_set(w, quadrant, 2), vm_neg(w, y), y);
}

static struct sincos both_of(const struct vecmath *w, V x, bool precise)
{
    struct angle a = reduce(w, x);
    struct sincos s = series(w, &a, precise);
    V next = LLVMBuildAdd(w->builder, a.quadrant, vm_int(w, 1), "");
    return (struct sincos){no_angle(w, x, in_quadrant(w, &s, a.quadrant)),
                           no_angle(w, x, in_quadrant(w, &s, next))};
}

static V keep_zero(const struct vecmath *m, V x, V y) /* sin(-0) is -0 */
{
    return vm_select(m, vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0)), x, y);
}

void vecmath_sincos(const struct vecmath *m, V x, V *sin, V *cos)
{
    struct sincos s;
    if (m->wide) {
        s = both_of(m, x, true);
    } else {
        struct vecmath w = vm_widened(m);
        s = both_of(&w, vm_widen(m, x), false);
        s = (struct sincos){vm_narrow(m, s.sin), vm_narrow(m, s.cos)};
    }
    *sin = keep_zero(m, x, s.sin);
    *cos = s.cos;
}

/* LLVM removes the unused part of the other function. */
V vecmath_sin(const struct vecmath *m, V x)
{
    V sin, cos;
    vecmath_sincos(m, x, &sin, &cos);
    return sin;
}

V vecmath_cos(const struct vecmath *m, V x)
{
    V sin, cos;
    vecmath_sincos(m, x, &sin, &cos);
    return cos;
}

static V tangent(const struct vecmath *w, V x, bool precise)
{
    struct angle a = reduce(w, x);
    struct sincos s = series(w, &a, precise);
    V odd = bit_is_set(w, a.quadrant, 1);
    V up = vm_select(w, odd, s.cos, s.sin), down = vm_select(w, odd, vm_neg(w, s.sin), s.cos);
    return no_angle(w, x, vm_div(w, up, down));
}

V vecmath_tan(const struct vecmath *m, V x)
{
    if (m->wide)
        return keep_zero(m, x, tangent(m, x, true));
    struct vecmath w = vm_widened(m);
    return keep_zero(m, x, vm_narrow(m, tangent(&w, vm_widen(m, x), false)));
}

/* ---- atan2 -------------------------------------------------------------------------------------
 * Computes atan of the smaller divided by the larger, a ratio in [0, 1]. Above tan(pi/8), atan(a) =
 * pi/4 + atan((a-1)/(a+1)). */
V vecmath_atan2(const struct vecmath *m, V y, V x)
{
    double coefficients[20];
    int count = m->wide ? 20 : 9;
    for (int k = 0; k < count; k++)
        coefficients[count - 1 - k] = (k & 1 ? 1.0 : -1.0) / (2 * k + 3);
    V ax = vm_abs(m, x), ay = vm_abs(m, y), zero = vm_real(m, 0);
    V infinity = vm_real(m, INFINITY);
    V steep = vm_compare(m, LLVMRealOGT, ay, ax);
    V larger = vm_select(m, steep, ay, ax), smaller = vm_select(m, steep, ax, ay);
    V far = vm_compare(m, LLVMRealOGT, smaller, vm_mul(m, larger, vm_real(m, 0.41421356237309503)));
    V up = vm_select(m, far, vm_sub(m, smaller, larger), smaller);
    V large = vm_compare(m, LLVMRealOGE, larger, vm_real(m, 1)); /* halve a sum that may overflow */
    V half = vm_select(m, large, vm_real(m, 0.5), vm_real(m, 1));
    V both = vm_add(m, vm_mul(m, smaller, half), vm_mul(m, larger, half));
    V down = vm_select(m, far, both, larger);
    V t = vm_div(m, up, down);
    t = vm_select(m, far, vm_mul(m, t, half), t);
    t = vm_select(m, vm_compare(m, LLVMRealOEQ, larger, zero), zero, t);
    V at_infinity = vm_compare(m, LLVMRealOEQ, larger, infinity);
    V corner =
        LLVMBuildAnd(m->builder, at_infinity, vm_compare(m, LLVMRealOEQ, smaller, infinity), "");
    t = vm_select(m, at_infinity, zero, t);
    far = LLVMBuildOr(m->builder, far, corner, "");
    V z = vm_mul(m, t, t);
    V angle = vm_fma(m, vm_mul(m, t, z), vm_polynomial(m, z, count, coefficients), t);
    /* The base angles in two parts, so that sums are rounded once. */
    V base = vm_select(m, far, vm_real(m, 0x1.921fb54442d18p-1), zero);
    V base_low =
        vm_select(m, far, vm_real(m, m->wide ? 0x1.1a62633145c07p-55 : -2.18556941e-08), zero);
    angle = vm_add(m, base, vm_add(m, angle, base_low));
    V right = vm_add(m, vm_sub(m, vm_real(m, 0x1.921fb54442d18p+0), angle),
                     vm_real(m, m->wide ? 0x1.1a62633145c07p-54 : -4.37113883e-08));
    angle = vm_select(m, steep, right, angle);
    V left = LLVMBuildICmp(m->builder, LLVMIntSLT, vm_bits(m, x), vm_int(m, 0), "");
    V reflected = vm_add(m, vm_sub(m, vm_real(m, 0x1.921fb54442d18p+1), angle),
                         vm_real(m, m->wide ? 0x1.1a62633145c07p-53 : -8.74227766e-08));
    angle = vm_copysign(m, vm_select(m, left, reflected, angle), y);
    return vm_select(m, vm_compare(m, LLVMRealUNO, x, y), vm_real(m, NAN), angle);
}
