/* Sine, cosine, tangent, and the angle of a point. Functions of float are computed in double. Up to
 * 2^28, the argument reduction subtracts a multiple of pi/2 in three parts. Beyond that, behind a
 * branch that is rarely taken, it calls large_angles(). */
#include <math.h>
#include <stddef.h>

#include "compiler/codegen/link/jit.h"
#include "compiler/codegen/routines/large_angle.h"
#include "compiler/codegen/vecmath/vecmath_ops.h"

/* x = quadrant * pi/2 + r + tail, where |r| is at most slightly more than pi/4. */
struct angle {
    V quadrant /* integer; only the low two bits are used */, r;
    V tail; /* NULL for functions of float, whose result does not depend on it */
};

static struct angle reduce_small(const struct vecmath *w, V x, bool precise)
{
    V magic = vm_real(w, 0x1.8p52); /* rounds, and puts an integer in the low bits */
    V shifted = vm_fma(w, x, vm_real(w, 0.63661977236758134308), magic);
    V n = vm_sub(w, shifted, magic);
    V first = vm_fma(w, n, vm_real(w, -0x1.921fb54400000p+0), x); /* exact: 30 bits times 28 */
    if (!precise) {                                               /* two parts suffice */
        V r = vm_fma(w, n, vm_real(w, -0x1.0b4611a626331p-34), first);
        return (struct angle){vm_bits(w, shifted), r, NULL};
    }
    V middle = vm_real(w, -0x1.0b4611a000000p-34), last = vm_real(w, -0x1.898cc51701b84p-64);
    V second = vm_mul(w, n, middle);
    V r = vm_add(w, first, second);
    V lost = vm_add(w, vm_sub(w, first, r), second);
    lost = vm_add(w, lost, vm_fma(w, n, middle, vm_neg(w, second)));
    V tail = vm_fma(w, n, last, lost);
    V sum = vm_add(w, r, tail);
    return (struct angle){vm_bits(w, shifted), sum, vm_sub(w, tail, vm_sub(w, sum, r))};
}

/* ---- large angles ---------------------------------------------------------------------------- */
/* A stack slot for a vector, in the function's entry block. */
static V slot(const struct vecmath *w, LLVMTypeRef type)
{
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
    V first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(w->builder, first);
    else
        LLVMPositionBuilderAtEnd(w->builder, entry);
    V address = LLVMBuildAlloca(w->builder, type, "");
    LLVMPositionBuilderAtEnd(w->builder, here);
    return address;
}

static V routine(const struct vecmath *w, LLVMTypeRef *type)
{
    static const char name[] = "large_angles";
    LLVMContextRef context = LLVMGetTypeContext(w->scalar);
    LLVMTypeRef p = LLVMPointerTypeInContext(context, 0), i64 = LLVMInt64TypeInContext(context);
    *type =
        LLVMFunctionType(LLVMVoidTypeInContext(context), (LLVMTypeRef[]){i64, p, p, p}, 4, false);
    V known = LLVMGetNamedFunction(w->module, name);
    V function = known ? known : LLVMAddFunction(w->module, name, *type);
    jit_accesses_only(function, true);
    return function;
}

static struct angle call_large(const struct vecmath *w, V x)
{
    LLVMTypeRef type, i64 = LLVMInt64TypeInContext(LLVMGetTypeContext(w->scalar));
    V function = routine(w, &type), count = LLVMConstInt(i64, w->lanes ? w->lanes : 1, false);
    V r = slot(w, w->type), tail = slot(w, w->type), quadrant = slot(w, vm_int_type(w));
    LLVMBuildStore(w->builder, x, r);
    LLVMBuildCall2(w->builder, type, function, (V[]){count, r, tail, quadrant}, 4, "");
    return (struct angle){LLVMBuildLoad2(w->builder, vm_int_type(w), quadrant, ""),
                          LLVMBuildLoad2(w->builder, w->type, r, ""),
                          LLVMBuildLoad2(w->builder, w->type, tail, "")};
}

/* x is of m's type, the result of w's, which is double. Of what is not finite r is NaN. */
static struct angle reduce(const struct vecmath *m, V x, const struct vecmath *w)
{
    V magnitude = vm_abs(m, x), wide = m->wide ? x : vm_widen(m, x);
    V large =
        vm_compare(m, LLVMRealOGE, magnitude, vm_real(m, m->fma ? LARGE_ANGLE : LEAST_LARGE_ANGLE));
    struct angle small = reduce_small(w, wide, m->wide);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(w->builder);
    V function = LLVMGetBasicBlockParent(here);
    LLVMContextRef context = LLVMGetTypeContext(w->scalar);
    LLVMBasicBlockRef rare = LLVMAppendBasicBlockInContext(context, function, "large_angle");
    LLVMBasicBlockRef after = LLVMAppendBasicBlockInContext(context, function, "angle");
    LLVMBuildCondBr(w->builder, vm_any_lane(w, large), rare, after);
    LLVMPositionBuilderAtEnd(w->builder, rare);
    V finite = vm_compare(m, LLVMRealOLT, magnitude, vm_real(m, INFINITY));
    V defined = LLVMBuildAnd(w->builder, large, finite, "");
    struct angle big = call_large(w, vm_select(w, defined, wide, vm_real(w, LARGE_ANGLE)));
    big.quadrant = vm_select(w, defined, big.quadrant, small.quadrant);
    big.r = vm_select(w, defined, big.r, small.r);
    if (m->wide)
        big.tail = vm_select(w, defined, big.tail, small.tail);
    LLVMBasicBlockRef rare_end = LLVMGetInsertBlock(w->builder);
    LLVMBuildBr(w->builder, after);
    LLVMPositionBuilderAtEnd(w->builder, after);
    return (struct angle){vm_join(w, big.quadrant, rare_end, small.quadrant, here),
                          vm_join(w, big.r, rare_end, small.r, here),
                          m->wide ? vm_join(w, big.tail, rare_end, small.tail, here) : NULL};
}

/* ---- sine, cosine, tangent ------------------------------------------------------------------- */
struct sincos {
    V sin, cos;
};

enum { MAX_TERMS = 8 };

/* The coefficients of Taylor's series, highest first: sin r = r + r z sines(z), cos r = 1 + z
 * cosines(z), where z = r^2. */
static void taylor(int count, double *sines, double *cosines)
{
    double factorial = 1;
    for (int k = 1; k <= count; k++) {
        factorial *= 2 * k;
        cosines[count - k] = (k & 1 ? -1 : 1) / factorial;
        factorial *= 2 * k + 1;
        sines[count - k] = (k & 1 ? -1 : 1) / factorial;
    }
}

/* The tail is applied through the first derivative. */
static struct sincos precise_series(const struct vecmath *w, const struct angle *a)
{
    enum { COUNT = MAX_TERMS };
    double sines[MAX_TERMS], cosines[MAX_TERMS];
    taylor(COUNT, sines, cosines);
    V z = vm_mul(w, a->r, a->r);
    V sin = vm_fma(w, vm_mul(w, a->r, z), vm_polynomial(w, z, COUNT, sines), a->tail);
    /* 1 - z/2 loses low bits; 1 - (1 - z/2) - z/2 recovers them. */
    V half = vm_mul(w, z, vm_real(w, 0.5)), head = vm_sub(w, vm_real(w, 1), half);
    V lost = vm_sub(w, vm_sub(w, vm_real(w, 1), head), half);
    V rest = vm_mul(w, vm_mul(w, z, z), vm_polynomial(w, z, COUNT - 1, cosines));
    V correction = vm_fma(w, vm_neg(w, a->r), a->tail, lost);
    return (struct sincos){vm_add(w, a->r, sin), vm_add(w, head, vm_add(w, rest, correction))};
}

/* For results that are rounded to float: the polynomials whose largest error is the least for so
 * many terms, 2^-37 of the sine and 2^-34 of the cosine. */
static struct sincos series_for_float(const struct vecmath *w, V r)
{
    static const double sines[] = {2.718112063053081e-06, -0.00019839311270809497,
                                   0.008333329301753074, -0.16666666640770536, 1};
    static const double cosines[] = {2.438345966482429e-05, -0.0013886680505213304,
                                     0.041666620320994836, -0.4999999969415633, 1};
    enum { COUNT = sizeof sines / sizeof *sines };
    V z = vm_mul(w, r, r);
    return (struct sincos){vm_mul(w, r, vm_polynomial(w, z, COUNT, sines)),
                           vm_polynomial(w, z, COUNT, cosines)};
}

/* |r| <= pi/4 */
static struct sincos series(const struct vecmath *w, const struct angle *a)
{
    return a->tail ? precise_series(w, a) : series_for_float(w, a->r);
}

static V bit_is_set(const struct vecmath *w, V value, int64_t bit)
{
    V masked = LLVMBuildAnd(w->builder, value, vm_int(w, bit), "");
    return LLVMBuildICmp(w->builder, LLVMIntNE, masked, vm_int(w, 0), "");
}

static V in_quadrant(const struct vecmath *w, const struct sincos *s, V quadrant)
{
    V y = vm_select(w, bit_is_set(w, quadrant, 1), s->cos, s->sin);
    V sign = LLVMBuildShl(w->builder, quadrant, vm_int(w, 62), "");
    sign = LLVMBuildAnd(w->builder, sign, vm_int(w, INT64_MIN), "");
    return vm_from_bits(w, LLVMBuildXor(w->builder, vm_bits(w, y), sign, ""));
}

static V keep_zero(const struct vecmath *m, V x, V y) /* sin(-0) is -0 */
{
    return vm_select(m, vm_compare(m, LLVMRealOEQ, x, vm_real(m, 0)), x, y);
}

/* The type in which functions of m's type are computed. */
static struct vecmath double_of(const struct vecmath *m)
{
    return m->wide ? *m : vm_widened(m);
}

static V result_of(const struct vecmath *m, V y)
{
    return m->wide ? y : vm_narrow(m, y);
}

void vecmath_sincos(const struct vecmath *m, V x, V *sin, V *cos)
{
    struct vecmath w = double_of(m);
    struct angle a = reduce(m, x, &w);
    struct sincos s = series(&w, &a);
    V next = LLVMBuildAdd(w.builder, a.quadrant, vm_int(&w, 1), "");
    *sin = keep_zero(m, x, result_of(m, in_quadrant(&w, &s, a.quadrant)));
    *cos = result_of(m, in_quadrant(&w, &s, next));
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

V vecmath_tan(const struct vecmath *m, V x)
{
    struct vecmath w = double_of(m);
    struct angle a = reduce(m, x, &w);
    struct sincos s = series(&w, &a);
    V odd = bit_is_set(&w, a.quadrant, 1);
    V up = vm_select(&w, odd, s.cos, s.sin), down = vm_select(&w, odd, vm_neg(&w, s.sin), s.cos);
    return keep_zero(m, x, result_of(m, vm_div(&w, up, down)));
}

/* ---- atan2 -------------------------------------------------------------------------------------
 * The angle of (|x|, |y|) to the nearer axis, as the angle of (x, |y|) to the positive x axis: pi/2
 * -+ angle if the nearer axis is that of y (`steep`), pi - angle if it is the negative one of x
 * (`left`). The axis' angle is in two parts, so that 0 to the axis gives it rounded. */
static V in_half_plane(const struct vecmath *m, V angle, V steep, V left)
{
    V axis = vm_select(m, left, vm_real(m, 0x1.921fb54442d18p+1), vm_real(m, 0));
    V low = vm_select(m, left, vm_real(m, m->wide ? 0x1.1a62633145c07p-53 : -8.74227766e-08),
                      vm_real(m, 0));
    axis = vm_select(m, steep, vm_real(m, 0x1.921fb54442d18p+0), axis);
    low = vm_select(m, steep, vm_real(m, m->wide ? 0x1.1a62633145c07p-54 : -4.37113883e-08), low);
    V falls = LLVMBuildXor(m->builder, steep, left, "");
    return vm_add(m, axis, vm_add(m, vm_select(m, falls, vm_neg(m, angle), angle), low));
}

/* Computes atan of the smaller divided by the larger, a ratio in [0, 1]. Above tan(pi/8), atan(a) =
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
    V left = LLVMBuildICmp(m->builder, LLVMIntSLT, vm_bits(m, x), vm_int(m, 0), "");
    angle = vm_copysign(m, in_half_plane(m, angle, steep, left), y);
    return vm_select(m, vm_compare(m, LLVMRealUNO, x, y), vm_real(m, NAN), angle);
}
