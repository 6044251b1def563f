/* Errors of the functions that the frontend expands (compiler/frontend/functions): in ulp, over
 * random and special arguments, against formulas in higher precision. */
#include "base/fpu.h"
#include "compiler/codegen/codegen_fixture.h"
#include "compiler/frontend/functions/functions.h"

enum { COUNT = 2048 };

/* exp(-|x|) I1(x): a series near 0; the trapezoidal rule for a periodic integrand converges
 * exponentially. */
static long double i1e(long double x)
{
    enum { POINTS = 400 };
    long double sum = 0, a = fabsl(x), step = 3.14159265358979323846264338327950288L / POINTS;
    if (a < 0.01L)
        return x / 2 * (1 + a * a / 8 + a * a * a * a / 192) * expl(-a);
    for (int i = 0; i <= POINTS; i++)
        sum += (i % POINTS ? 1 : 0.5L) * expl(a * (cosl(i * step) - 1)) * cosl(i * step);
    return copysignl(sum / POINTS, x);
}

/* Newton's method on erfc, which is accurate close to 1. */
static long double erf_inv(long double x)
{
    long double y = 0, a = fabsl(x);
    for (int i = 0; i < 100; i++)
        y += (erfcl(y) - (1 - a)) / (1.12837916709551257390L * expl(-y * y));
    return copysignl(y, x);
}

static const struct function {
    const char *name;
    long double (*expected)(long double);
    double low, high, ulps_float, ulps_double; /* of the range of arguments; bounds */
} functions[] = {
    {"acosh", acoshl, 1, 1.1, 3, 3},        {"acosh", acoshl, 1, 1e6, 3, 3},
    {"asinh", asinhl, -3, 3, 3, 3},         {"asinh", asinhl, -1e30, 1e30, 3, 3},
    {"atanh", atanhl, -0.999, 0.999, 3, 3}, {"sinh", sinhl, -88, 88, 4, 4},
    {"sinh", sinhl, -1.5, 1.5, 4, 4},       {"cosh", coshl, -88, 88, 4, 4},
    {"erfc", erfcl, -3, 0.6, 6, 6},         {"erfc", erfcl, 0.4, 9, 7, 7},
    {"erf_inv", erf_inv, -0.9, 0.9, 4, 3},  {"erf_inv", erf_inv, 0.9, 0.9999, 4, 3},
    {"bessel_i1e", i1e, -9, 9, 6, 20},      {"bessel_i1e", i1e, -1e-3, 1e-3, 6, 20},
    {"bessel_i1e", i1e, 7, 300, 6, 20},     {"lgamma", lgammal, 3, 200, 1, 40},
};

static double ulps(long double want, double got, bool wide)
{
    int exponent = ilogbl(want);
    return (double)(fabsl(want - got) / ldexpl(1, exponent - (wide ? 52 : 23)));
}

static struct fixture *kernel_of(const char *name, enum dtype dtype, int count)
{
    struct arena *arena = fixture_arena();
    const struct type *type = fixture_type(arena, dtype, 1, count);
    struct fixture *f = fixture_begin(FUSION_LOOP, 1, &type, arena);
    struct builder b = {.module = f->module, .block = f->block};
    struct value *x = fixture_arg(f, 0), *y;
    fixture_check(functions_apply(&b, name, 1, &x, &y));
    fixture_return(f, 1, y);
    return f;
}

static void run(struct fixture *f, void *in, void *out)
{
    struct fpu_mode mode = fpu_enter();
    fixture_run(f, 1, 0, (void *[]){in, out}, NULL);
    fpu_restore(mode);
}

static void check(const struct function *function, bool wide)
{
    struct fixture *f = kernel_of(function->name, wide ? DTYPE_F64 : DTYPE_F32, COUNT);
    double *in = fixture_memory(f, COUNT * sizeof *in),
           *out = fixture_memory(f, COUNT * sizeof *out);
    float *in_float = (float *)in, *out_float = (float *)out;
    double step = (function->high - function->low) / COUNT, worst = 0, at = 0;
    for (int i = 0; i < COUNT; i++) {
        double x = function->low + (i + 0.3) * step;
        wide ? (in[i] = x) : (in_float[i] = (float)x);
    }
    run(f, in, out);
    for (int i = 0; i < COUNT; i++) {
        double x = wide ? in[i] : in_float[i], got = wide ? out[i] : out_float[i];
        double error = ulps(function->expected(x), got, wide);
        if (!(error <= worst))
            worst = error, at = x;
    }
    double bound = wide ? function->ulps_double : function->ulps_float;
    cr_expect(worst <= bound, "%s of %s: %.3g ulp at %.17g", function->name, wide ? "f64" : "f32",
              worst, at);
    arena_destroy(f->arena);
}

Test(expanded_functions, errors_are_bounded)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        check(&functions[i], false), check(&functions[i], true);
}

static void check_special(const char *name, float x, float expected)
{
    struct fixture *f = kernel_of(name, DTYPE_F32, 1);
    float *in = fixture_memory(f, sizeof *in), *out = fixture_memory(f, sizeof *out);
    *in = x;
    run(f, in, out);
    bool same =
        isnan(expected) ? isnan(*out) : *out == expected && !signbit(*out) == !signbit(expected);
    cr_expect(same, "%s of %g: %g, expected %g", name, x, *out, expected);
    arena_destroy(f->arena);
}

Test(expanded_functions, special_values)
{
    static const struct {
        const char *name;
        float x, expected;
    } rows[] = {{"acosh", 1, 0},
                {"acosh", 0.5f, NAN},
                {"acosh", INFINITY, INFINITY},
                {"asinh", -0.0f, -0.0f},
                {"asinh", -INFINITY, -INFINITY},
                {"atanh", 1, INFINITY},
                {"atanh", -1, -INFINITY},
                {"atanh", 2, NAN},
                {"sinh", -0.0f, -0.0f},
                {"sinh", -INFINITY, -INFINITY},
                {"cosh", -INFINITY, INFINITY},
                {"erfc", -INFINITY, 2},
                {"erfc", INFINITY, 0},
                {"erfc", 1e30f, 0},
                {"erfc", NAN, NAN},
                {"erf_inv", 1, INFINITY},
                {"erf_inv", -1, -INFINITY},
                {"erf_inv", 1.5f, NAN},
                {"erf_inv", -0.0f, -0.0f},
                {"erf_inv", NAN, NAN},
                {"bessel_i1e", -0.0f, -0.0f},
                {"bessel_i1e", INFINITY, 0},
                {"bessel_i1e", NAN, NAN},
                {"lgamma", -3, INFINITY},
                {"lgamma", 1e38f, INFINITY},
                {"lgamma", -INFINITY, INFINITY}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        check_special(rows[i].name, rows[i].x, rows[i].expected);
}
