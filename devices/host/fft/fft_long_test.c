/* fft_long_test.c: transforms of long lines against their definition, and back. */
#include "devices/host/fft/fft_long_real.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "devices/host/fft/fft_fixture.h"

enum { SAMPLES = 12 };

static void *numbers(int64_t parts, enum dtype part)
{
    void *of = calloc((size_t)parts + 1, (size_t)dtype_bytes(part));
    cr_assert_not_null(of);
    return of;
}

static double get(const void *of, enum dtype part, int64_t at)
{
    return part == DTYPE_F64 ? ((const double *)of)[at] : (double)((const float *)of)[at];
}

static void set(void *of, enum dtype part, int64_t at, double value)
{
    if (part == DTYPE_F64)
        ((double *)of)[at] = value;
    else
        ((float *)of)[at] = (float)value;
}

static double tolerance(enum dtype part)
{
    return part == DTYPE_F64 ? 4e-14 : 3e-6;
}

/* Result k of a line whose number j has its parts at `step` * j and, if complex, next to that. */
static double complex result(const void *line, enum dtype part, int64_t start, int64_t step,
                             bool real, int64_t n, int64_t k)
{
    double complex sum = 0;
    for (int64_t j = 0; j < n; j++) {
        double angle = -2 * acos(-1) * (double)(j * k % n) / (double)n;
        double im = real ? 0 : get(line, part, start + step * j + 1);
        sum += number(get(line, part, start + step * j), im) * number(cos(angle), sin(angle));
    }
    return sum;
}

/* The result of random line l in `out` at some k; errors are relative to the usual magnitude. */
static void check_samples(const void *in, const void *out, enum dtype part, int64_t n, int64_t l,
                          int64_t inner)
{
    for (int64_t s = 0; s < SAMPLES; s++) {
        int64_t k = s < 2 ? s : s * (n - 1) / (SAMPLES - 1);
        double complex expected = result(in, part, 2 * l, 2 * inner, false, n, k);
        int64_t at = 2 * (k * inner + l);
        double complex got = number(get(out, part, at), get(out, part, at + 1));
        cr_expect(cabs(got - expected) < tolerance(part) * sqrt((double)n), "n %d, k %d: %g",
                  (int)n, (int)k, cabs(got - expected) / sqrt((double)n));
    }
}

static double worst_difference(const void *a, const void *b, enum dtype part, int64_t count)
{
    double worst = 0;
    for (int64_t i = 0; i < count; i++)
        worst = fmax(worst, fabs(get(a, part, i) - get(b, part, i)));
    return worst;
}

/* `inner` adjacent lines, forward, and back in place. */
static void check(enum dtype part, int64_t n, int64_t inner)
{
    struct fft_long_plan *plan;
    struct fft_spec call = {.dims = 2, .lengths = {n, inner}, .outer = 1};
    int64_t parts = 2 * n * inner;
    void *in = numbers(parts, part), *out = numbers(parts, part),
         *scratch = numbers(2 * fft_split_scratch(&call), part);
    for (int64_t i = 0; i < parts; i++)
        set(in, part, i, random_number());
    cr_assert_null(fft_long_plan_create(part, n, inner, inner, &plan));
    struct fft_long f = {.plan = plan,
                         .scale = 1,
                         .lines = inner,
                         .inner = inner,
                         .in = in,
                         .out = out,
                         .scratch = scratch};
    cr_assert_null(fft_long_run(&f));
    check_samples(in, out, part, n, 0, inner);
    check_samples(in, out, part, n, inner - 1, inner);
    f.in = out;
    f.inverse = true;
    f.scale = 1 / (double)n;
    cr_assert_null(fft_long_run(&f));
    cr_expect(worst_difference(in, out, part, parts) < tolerance(part), "n %d, inner %d", (int)n,
              (int)inner);
    fft_long_plan_destroy(plan);
    free(in);
    free(out);
    free(scratch);
}

static void check_real(enum dtype part, int64_t n, int64_t lines)
{
    struct fft_long_real_plan *plan;
    struct fft_spec call = {.kind = 3, .dims = 1, .lengths = {n}, .outer = lines};
    int64_t half = n / 2 + 1;
    void *in = numbers(n * lines, part), *out = numbers(2 * half * lines, part),
         *back = numbers(n * lines, part), *scratch = numbers(2 * fft_split_scratch(&call), part);
    for (int64_t i = 0; i < n * lines; i++)
        set(in, part, i, random_number());
    cr_assert_null(fft_long_real_plan_create(part, n, lines, &plan));
    cr_assert_null(fft_long_real_run(plan, false, in, scratch, out));
    for (int64_t s = 0; s < SAMPLES; s++) {
        int64_t k = s < 2 ? s : s * (half - 1) / (SAMPLES - 1), at = 2 * ((lines - 1) * half + k);
        double complex expected = result(in, part, (lines - 1) * n, 1, true, n, k);
        double complex got = number(get(out, part, at), get(out, part, at + 1));
        cr_expect(cabs(got - expected) < tolerance(part) * sqrt((double)n), "n %d, k %d: %g",
                  (int)n, (int)k, cabs(got - expected) / sqrt((double)n));
    }
    cr_assert_null(fft_long_real_run(plan, true, out, scratch, back));
    cr_expect(worst_difference(in, back, part, n * lines) < tolerance(part), "n %d", (int)n);
    fft_long_real_plan_destroy(plan);
    free(in);
    free(out);
    free(back);
    free(scratch);
}

/* Powers of two, other products of small primes, and lengths that are padded: primes, twice a
 * prime, and ones whose rows or columns are. */
Test(fft_long, contiguous_lines)
{
    static const int64_t lengths[] = {1 << 15, 1 << 16,   20000, 59049,
                                      50021,   2 * 50021, 65537, 1000 * 1009};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check(DTYPE_F32, lengths[i], 1);
    check(DTYPE_F64, 1 << 17, 1);
    check(DTYPE_F64, 50021, 1);
}

/* Those that eight does not divide, of which one alone is a matrix. */
Test(fft_long, short_lines)
{
    static const int64_t lengths[] = {81, 100, 121, 250, 500, 700, 1001, 2500, 4900, 127 * 12};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check(DTYPE_F32, lengths[i], 1);
        check(DTYPE_F64, lengths[i], 1);
        for (int64_t lines = 1; lines <= 4; lines++) {
            check_real(DTYPE_F32, lengths[i], lines);
            check_real(DTYPE_F64, 2 * lengths[i], lines);
        }
    }
}

Test(fft_long, adjacent_lines)
{
    static const int64_t lengths[] = {8192, 10007, 5003, 64 * 1009};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check(DTYPE_F32, lengths[i], 3);
        check(DTYPE_F64, lengths[i], 21);
    }
}

Test(fft_long, real_lines)
{
    static const int64_t lengths[] = {2, 1000, 1 << 16, 40000, 40002, 50021, 2 * 50021, 19683};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        check_real(DTYPE_F32, lengths[i], 1);
        check_real(DTYPE_F64, lengths[i], 3);
    }
}
