/* Functions of complex numbers against the C library in higher precision: the error of each part,
 * in ulp, over random numbers; and results for huge, tiny, infinite and NaN parts. */
#include <complex.h>

#include "compiler/codegen/codegen_fixture.h"

#ifndef CMPLX /* glibc defines it only for gcc */
#define CMPLX(real, imaginary) __builtin_complex((double)(real), (double)(imaginary))
#define CMPLXL(real, imaginary) __builtin_complex((long double)(real), (long double)(imaginary))
#endif

typedef long double complex wide;
typedef wide reference(wide);

enum { COUNT = 4096, SPECIALS = 15 };

static wide expm1_of(wide z)
{
    long double half = sinl(cimagl(z) / 2);
    long double re = expm1l(creall(z)) * cosl(cimagl(z)) - 2 * half * half;
    return CMPLXL(re, cimagl(cexpl(z)));
}

static wide log1p_of(wide z)
{
    long double a = creall(z), b = cimagl(z);
    long double re =
        fabsl(a) < 0.5L && fabsl(b) < 2 ? log1pl(2 * a + a * a + b * b) / 2 : creall(clogl(1 + z));
    return CMPLXL(re, atan2l(b, 1 + a));
}

static wide rsqrt_of(wide z)
{
    return 1 / csqrtl(z);
}
static wide cbrt_of(wide z)
{
    return cbrtl(cabsl(z)) * cexpl(I * cargl(z) / 3);
}
static wide sign_of(wide z)
{
    return z / cabsl(z);
}
static wide abs_of(wide z)
{
    return cabsl(z);
}
static wide logistic_of(wide z)
{
    return creall(z) < 0 ? cexpl(z) / (1 + cexpl(z)) : 1 / (1 + cexpl(-z));
}

static const struct function {
    enum op_code code;
    reference *expect;
    /* Bounds in ulp: of each part; and relative to the number's magnitude, for functions whose
     * parts cancel (0: check the parts). */
    double parts, whole;
    double range; /* range of the arguments' parts */
} functions[] = {
    {OP_abs, abs_of, 2, 0, 1e30},         {OP_abs, abs_of, 2, 0, 1},
    {OP_sign, sign_of, 4, 0, 1e30},       {OP_sqrt, csqrtl, 4, 0, 1e37},
    {OP_sqrt, csqrtl, 4, 0, 1},           {OP_rsqrt, rsqrt_of, 0, 6, 100},
    {OP_cbrt, cbrt_of, 0, 5, 100},        {OP_exponential, cexpl, 5, 0, 30},
    {OP_exponential, cexpl, 5, 0, 85},    {OP_exponential_minus_one, expm1_of, 0, 5, 3},
    {OP_log, clogl, 4, 0, 1e30},          {OP_log, clogl, 4, 0, 1.2},
    {OP_log_plus_one, log1p_of, 4, 0, 2}, {OP_log_plus_one, log1p_of, 4, 0, 0.01},
    {OP_sine, csinl, 6, 0, 60},           {OP_cosine, ccosl, 6, 0, 60},
    {OP_tan, ctanl, 10, 0, 20},           {OP_tanh, ctanhl, 10, 0, 20},
    {OP_tanh, ctanhl, 10, 0, 0.1},        {OP_logistic, logistic_of, 0, 6, 20},
};

static struct fixture *unary(enum op_code code, bool is_double, int count)
{
    struct arena *a = fixture_arena();
    enum dtype of = is_double ? DTYPE_C128 : DTYPE_C64, part = is_double ? DTYPE_F64 : DTYPE_F32;
    const struct type *type = fixture_type(a, of, 1, count);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, (const struct type *const[]){type}, a);
    const struct type *result = code == OP_abs ? fixture_type(a, part, 1, count) : type;
    fixture_return(f, 1, fixture_value(f, code, result, fixture_arg(f, 0), NULL));
    return f;
}

static double part_of(const void *numbers, bool is_double, int i)
{
    return is_double ? ((const double *)numbers)[i] : (double)((const float *)numbers)[i];
}

static void set_part(void *numbers, bool is_double, int i, double value)
{
    if (is_double)
        ((double *)numbers)[i] = value;
    else
        ((float *)numbers)[i] = (float)value;
}

static double ulp_of(bool is_double, long double value)
{
    int exponent;
    double least = is_double ? 0x1p-1074 : 0x1p-149;
    frexpl(value, &exponent);
    double ulp = ldexp(1, exponent - (is_double ? 53 : 24));
    return ulp < least ? least : ulp;
}

static double error_of(bool is_double, const struct function *function, wide got, wide expected)
{
    long double re = fabsl(creall(got) - creall(expected)),
                im = fabsl(cimagl(got) - cimagl(expected));
    if (function->whole > 0)
        return (double)(re > im ? re : im) / ulp_of(is_double, cabsl(expected)) / function->whole;
    double a = (double)re / ulp_of(is_double, creall(expected)),
           b = (double)im / ulp_of(is_double, cimagl(expected));
    return (a > b ? a : b) / function->parts;
}

static void check_function(const struct function *function, bool is_double, bool fma)
{
    struct fixture *f = unary(function->code, is_double, COUNT);
    f->target.isa.fma &= fma; /* a processor may have neither */
    f->target.isa.scales &= fma;
    f->target.isa.vector_bytes = fma ? f->target.isa.vector_bytes : 16;
    bool real = function->code == OP_abs;
    void *in = fixture_memory(f, COUNT * 16), *out = fixture_memory(f, COUNT * 16);
    uint64_t state = 7;
    for (int i = 0; i < 2 * COUNT; i++)
        set_part(in, is_double, i, (double)fixture_random(&state) / 2 * function->range);
    fixture_run(f, 1, 0, (void *[]){in, out}, NULL);
    double worst = 0;
    int at = 0;
    for (int i = 0; i < COUNT; i++) {
        wide z = CMPLXL(part_of(in, is_double, 2 * i), part_of(in, is_double, 2 * i + 1));
        wide got = real
                       ? part_of(out, is_double, i)
                       : CMPLXL(part_of(out, is_double, 2 * i), part_of(out, is_double, 2 * i + 1));
        double error = error_of(is_double, function, got, function->expect(z));
        if (!(error <= worst))
            worst = error, at = i;
    }
    cr_expect(worst <= 1, "%s (%s, range %g%s): %g of the bound at %.17g %.17g",
              op_info(function->code)->name, is_double ? "c128" : "c64", function->range,
              fma ? "" : ", without fma", worst, part_of(in, is_double, 2 * at),
              part_of(in, is_double, 2 * at + 1));
    arena_destroy(f->arena);
}

Test(complex, parts_are_accurate)
{
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++)
        for (int is_double = 0; is_double < 2; is_double++)
            for (int fma = 0; fma < 2; fma++)
                check_function(&functions[i], is_double, fma);
}

/* ---- special values -------------------------------------------------------------------------- */
static bool is_alike(double got, long double expected)
{
    if (isnan(expected))
        return isnan(got);
    double nearest = (double)expected;
    if (isinf(nearest))
        return got == nearest;
    return fabs(got - nearest) <= 1e-14 * fabs(nearest) + 1e-322;
}

static const double specials[SPECIALS] = {0.0,    -0.0,   1,        -1,        0.5,
                                          3,      -710.5, 710.5,    1e300,     -1.7e308,
                                          5e-324, 1e-300, INFINITY, -INFINITY, NAN};

/* `strict`: also checks infinite and NaN parts. */
static void check_specials(enum op_code code, double complex expect(double complex), bool strict)
{
    struct fixture *f = unary(code, true, SPECIALS * SPECIALS);
    double complex *in = fixture_memory(f, SPECIALS * SPECIALS * sizeof *in);
    double complex *out = fixture_memory(f, SPECIALS * SPECIALS * sizeof *out);
    for (int i = 0; i < SPECIALS * SPECIALS; i++)
        in[i] = CMPLX(specials[i / SPECIALS], specials[i % SPECIALS]);
    fixture_run(f, 0, 0, (void *[]){in, out}, NULL);
    for (int i = 0; i < SPECIALS * SPECIALS; i++) {
        if (!strict && !(isfinite(creal(in[i])) && isfinite(cimag(in[i]))))
            continue;
        double complex expected = expect(in[i]);
        cr_expect(
            is_alike(creal(out[i]), creal(expected)) && is_alike(cimag(out[i]), cimag(expected)),
            "%s of %g %g: %.17g %.17g, expected %.17g %.17g", op_info(code)->name, creal(in[i]),
            cimag(in[i]), creal(out[i]), cimag(out[i]), creal(expected), cimag(expected));
    }
    arena_destroy(f->arena);
}

/* Where C leaves one part unspecified or requires a zero, expects NaN in both. */
static double complex tanh_of(double complex z)
{
    return isfinite(creal(z)) && !isfinite(cimag(z)) ? CMPLX(NAN, NAN) : ctanh(z);
}
static double complex tan_of(double complex z)
{
    return isfinite(cimag(z)) && !isfinite(creal(z)) ? CMPLX(NAN, NAN) : ctan(z);
}
static double complex expm1_special(double complex z)
{
    return isfinite(cimag(z)) ? expm1_of(z) : CMPLX(NAN, NAN);
}

Test(complex, special_values_are_those_of_c)
{
    setenv("GANTRY_DENORMALS", "keep", 1);
    check_specials(OP_sqrt, csqrt, true);
    check_specials(OP_log, clog, true);
    check_specials(OP_exponential, cexp, false);
    check_specials(OP_sine, csin, false);
    check_specials(OP_cosine, ccos, false);
    check_specials(OP_tanh, tanh_of, true);
    check_specials(OP_tan, tan_of, true);
    check_specials(OP_exponential_minus_one, expm1_special, true);
}

/* C leaves the sign open. The sign of a NaN depends on how the compiler made it, so it must not
 * show in a zero: programs would differ with what is compiled together. */
Test(complex, no_zero_takes_the_sign_of_a_nan)
{
    const double other[] = {NAN, -NAN, INFINITY, -INFINITY};
    enum { OTHERS = sizeof other / sizeof *other };
    struct fixture *f = unary(OP_tanh, true, OTHERS);
    double complex *in = fixture_memory(f, OTHERS * sizeof *in);
    double complex *out = fixture_memory(f, OTHERS * sizeof *out);
    for (int i = 0; i < OTHERS; i++)
        in[i] = CMPLX(INFINITY, other[i]);
    fixture_run(f, 0, 0, (void *[]){in, out}, NULL);
    for (int i = 0; i < OTHERS; i++)
        cr_expect(creal(out[i]) == 1 && cimag(out[i]) == 0 && !signbit(cimag(out[i])),
                  "tanh of inf %g: %g %g", other[i], creal(out[i]), cimag(out[i]));
    arena_destroy(f->arena);
}

/* ---- two operands ---------------------------------------------------------------------------- */
Test(complex, quotients_survive_the_ends_of_the_range)
{
    struct arena *a = fixture_arena();
    enum { ALL = SPECIALS * SPECIALS * 20 };
    const struct type *type = fixture_type(a, DTYPE_C128, 1, ALL);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *const[]){type, type}, a);
    fixture_return(f, 1, fixture_value(f, OP_divide, type, fixture_arg(f, 0), fixture_arg(f, 1)));
    double complex *x = fixture_memory(f, ALL * sizeof *x), *y = fixture_memory(f, ALL * sizeof *y);
    double complex *out = fixture_memory(f, ALL * sizeof *out);
    for (int i = 0; i < ALL; i++) {
        int j = i / (SPECIALS * SPECIALS);
        x[i] = CMPLX(specials[i % SPECIALS], specials[(i / SPECIALS) % SPECIALS]);
        y[i] = CMPLX(specials[(j * 7) % 13], specials[(j * 5 + 2) % 14]);
    }
    fixture_run(f, 0, 0, (void *[]){x, y, out}, NULL);
    for (int i = 0; i < ALL; i++) {
        wide expected = (wide)x[i] / (wide)y[i];
        if (isnan(creall(expected)) && isnan(cimagl(expected)))
            continue;
        long double size = cabsl(expected);
        bool right = size > 1e308L || size < 1e-290L || isnan(size) ||
                     cabsl(out[i] - expected) <= 4e-16L * size;
        if (creal(y[i]) == 0 && cimag(y[i]) == 0)
            right = isinf(creal(out[i])) || isinf(cimag(out[i]));
        cr_expect(right, "(%g %g) / (%g %g): %.17g %.17g, expected %.17Lg %.17Lg", creal(x[i]),
                  cimag(x[i]), creal(y[i]), cimag(y[i]), creal(out[i]), cimag(out[i]),
                  creall(expected), cimagl(expected));
    }
    arena_destroy(a);
}

static bool same_part(double part, double expected)
{
    return part == expected && signbit(part) == signbit(expected);
}

/* The quotient by Smith's method, as XLA's CPU backend computes it, zeros with their signs. The
 * numbers are such that nothing is rounded. */
static double complex smith(double complex x, double complex y)
{
    double a = creal(x), b = cimag(x), c = creal(y), d = cimag(y);
    double r = fabs(c) >= fabs(d) ? d / c : c / d;
    if (fabs(c) >= fabs(d))
        return CMPLX((a + b * r) / (c + d * r), (b - a * r) / (c + d * r));
    return CMPLX((a * r + b) / (c * r + d), (b * r - a) / (c * r + d));
}

Test(complex, zeros_of_quotients_have_the_signs_of_smiths_method)
{
    static const double parts[] = {-4, -2, -0.0, 0, 2, 4};
    enum { PARTS = sizeof parts / sizeof *parts, ALL = PARTS * PARTS * PARTS * PARTS };
    struct arena *a = fixture_arena();
    const struct type *type = fixture_type(a, DTYPE_C128, 1, ALL);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *const[]){type, type}, a);
    fixture_return(f, 1, fixture_value(f, OP_divide, type, fixture_arg(f, 0), fixture_arg(f, 1)));
    double complex *x = fixture_memory(f, ALL * sizeof *x), *y = fixture_memory(f, ALL * sizeof *y);
    double complex *out = fixture_memory(f, ALL * sizeof *out);
    for (int i = 0; i < ALL; i++) {
        x[i] = CMPLX(parts[i % PARTS], parts[i / PARTS % PARTS]);
        y[i] = CMPLX(parts[i / PARTS / PARTS % PARTS], parts[i / PARTS / PARTS / PARTS]);
    }
    fixture_run(f, 0, 0, (void *[]){x, y, out}, NULL);
    for (int i = 0; i < ALL; i++) {
        double complex z = smith(x[i], y[i]);
        if (y[i] != 0)
            cr_expect(same_part(creal(out[i]), creal(z)) && same_part(cimag(out[i]), cimag(z)),
                      "(%g %g) / (%g %g): %g %g, expected %g %g", creal(x[i]), cimag(x[i]),
                      creal(y[i]), cimag(y[i]), creal(out[i]), cimag(out[i]), creal(z), cimag(z));
    }
    arena_destroy(a);
}

/* Of zero and of the positive infinity, as the C99 functions of real numbers have them. */
Test(complex, powers_of_zero_and_infinity)
{
    struct arena *a = fixture_arena();
    const struct type *type = fixture_type(a, DTYPE_C128, 1, 4);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *const[]){type, type}, a);
    fixture_return(f, 1, fixture_value(f, OP_power, type, fixture_arg(f, 0), fixture_arg(f, 1)));
    double complex x[] = {CMPLX(0, 0), CMPLX(0, 0), CMPLX(INFINITY, 0), CMPLX(INFINITY, 0)};
    double complex y[] = {CMPLX(-0.5, 0), CMPLX(NAN, 0), CMPLX(0.5, 0), CMPLX(-1, 0)}, out[4];
    fixture_run(f, 0, 0, (void *[]){x, y, out}, NULL);
    cr_expect(isnan(creal(out[0])) && isnan(creal(out[1])));
    cr_expect(creal(out[2]) == INFINITY && cimag(out[2]) == 0);
    cr_expect(creal(out[3]) == 0 && cimag(out[3]) == 0);
    arena_destroy(a);
}

Test(complex, powers)
{
    struct arena *a = fixture_arena();
    const struct type *type = fixture_type(a, DTYPE_C128, 1, 5);
    struct fixture *f = fixture_begin(FUSION_LOOP, 2, (const struct type *const[]){type, type}, a);
    fixture_return(f, 1, fixture_value(f, OP_power, type, fixture_arg(f, 0), fixture_arg(f, 1)));
    double complex x[] = {CMPLX(1, 2), CMPLX(-3, 0.5), CMPLX(0, 0), CMPLX(0, 0),
                          CMPLX(1e200, 1e200)};
    double complex y[] = {CMPLX(2, 0), CMPLX(0.5, -1), CMPLX(2, 1), CMPLX(0, 0), CMPLX(0.5, 0)},
                   out[5];
    fixture_run(f, 0, 0, (void *[]){x, y, out}, NULL);
    for (int i = 0; i < 5; i++) {
        double complex expected = i == 2 ? 0 : i == 3 ? 1 : cpow(x[i], y[i]);
        cr_expect(cabs(out[i] - expected) <= 1e-14 * cabs(expected), "power %d: %.17g %.17g", i,
                  creal(out[i]), cimag(out[i]));
    }
    arena_destroy(a);
}
