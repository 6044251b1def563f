/* fft_lines_test.c: transforms of lines against their definition. */
#include "devices/host/fft/fft_lines.h"

#include <complex.h>
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "devices/host/fft/fft_fixture.h"

enum { MOST = 1100 * 20 };

static double complex in[MOST], out[MOST], expected[MOST];
static float narrow_in[2 * MOST], narrow_out[2 * MOST];

/* Where number j of a line is, of `numbers`. */
static int64_t at(int64_t line, int64_t inner, int64_t numbers, int64_t j)
{
    return line / inner * inner * numbers + line % inner + j * inner;
}

/* exp(-2 pi i j / n) for j < n. */
static const double complex *roots_of(int64_t n)
{
    static double complex roots[4200];
    static int64_t of;
    for (int64_t j = 0; j < n && of != n; j++) {
        double angle = 2 * acos(-1) * (double)j / (double)n;
        roots[j] = number(cos(angle), -sin(angle));
    }
    of = n;
    return roots;
}

static double complex sum_of(const double complex *x, int64_t n, int64_t k, bool inverse)
{
    const double complex *roots = roots_of(n);
    double complex sum = 0;
    for (int64_t j = 0, at = 0; j < n; j++, at = (at + k) % n) {
        double re = creal(roots[at]), im = inverse ? -cimag(roots[at]) : cimag(roots[at]);
        sum += number(creal(x[j]) * re - cimag(x[j]) * im, creal(x[j]) * im + cimag(x[j]) * re);
    }
    return inverse ? sum / (double)n : sum;
}

/* Random lines in in[], as the kind needs them, and what they become in expected[]. */
static void make_lines(enum fft_lines_kind kind, int64_t n, int64_t lines, int64_t inner,
                       bool inverse)
{
    double complex *x = malloc((size_t)n * sizeof *x);
    int64_t half = n / 2 + 1;
    for (int64_t line = 0; line < lines; line++) {
        for (int64_t j = 0; j < n; j++)
            x[j] = number(random_number(), kind == FFT_LINES_COMPLEX ? random_number() : 0);
        if (kind == FFT_LINES_HALF)
            for (int64_t k = 0; k < half; k++)
                in[at(line, inner, half, k)] = sum_of(x, n, k, false);
        else
            for (int64_t j = 0; j < n; j++)
                in[at(line, inner, n, j)] = x[j];
        int64_t results = kind == FFT_LINES_REAL ? half : n;
        for (int64_t k = 0; k < results; k++)
            expected[at(line, inner, results, k)] =
                kind == FFT_LINES_HALF ? x[k] : sum_of(x, n, k, inverse);
    }
    free(x);
}

/* Copies between complex doubles and the type of a transform. */
static void copy(bool to, bool real, enum dtype part, int64_t count, void *typed,
                 double complex *numbers)
{
    for (int64_t i = 0; i < count; i++)
        for (int p = 0; p < (real ? 1 : 2); p++) {
            int64_t k = real ? i : 2 * i + p;
            double *number = (double *)&numbers[i] + p;
            if (to && part == DTYPE_F64)
                ((double *)typed)[k] = *number;
            else if (to)
                ((float *)typed)[k] = (float)*number;
            else
                *number = part == DTYPE_F64 ? ((double *)typed)[k] : (double)((float *)typed)[k];
        }
}

static double largest_error(int64_t count, bool real)
{
    double worst = 0, size = 0;
    for (int64_t i = 0; i < count; i++) {
        double complex got = real ? creal(out[i]) : out[i];
        worst = fmax(worst, cabs(got - expected[i]));
        size += cabs(expected[i]) * cabs(expected[i]);
    }
    return worst / sqrt(size / (double)count);
}

static void check(enum dtype part, enum fft_lines_kind kind, int64_t n, int64_t lines,
                  int64_t inner, bool inverse)
{
    static double typed_in[2 * MOST], typed_out[2 * MOST];
    bool wide = part == DTYPE_F64, real_in = kind == FFT_LINES_REAL,
         real_out = kind == FFT_LINES_HALF;
    int64_t half = n / 2 + 1, reads = real_out ? half : n, results = real_in ? half : n;
    void *from = wide ? (void *)typed_in : narrow_in, *to = wide ? (void *)typed_out : narrow_out;
    struct fft_lines_plan *plan;
    inner = kind == FFT_LINES_COMPLEX ? inner : 1;
    make_lines(kind, n, lines, inner, inverse);
    copy(true, real_in, part, reads * lines, from, in);
    cr_assert_null((real_in || real_out ? fft_lines_plan_create_real
                                        : fft_lines_plan_create)(part, n, lines, &plan));
    struct fft_lines f = {.plan = plan,
                          .kind = kind,
                          .inverse = inverse,
                          .scale = inverse ? 1 / (double)n : 1,
                          .lines = lines,
                          .inner = inner,
                          .out_inner = inner,
                          .in = from,
                          .out = to};
    cr_assert_null(fft_lines_run(&f));
    copy(false, real_out, part, results * lines, to, out);
    double error = largest_error(results * lines, real_out);
    cr_expect(error < (wide ? 2e-14 : 8e-6), "kind %d, n %d, %d lines, inner %d, inverse %d: %g",
              (int)kind, (int)n, (int)lines, (int)inner, inverse, error);
    fft_lines_plan_destroy(plan);
}

static const int lengths[] = {2,  3,  4,  5,   6,   7,   8,   16,  17,  24,  31,  32,
                              37, 40, 97, 120, 127, 128, 155, 187, 262, 360, 512, 1024};
enum { LENGTHS = sizeof lengths / sizeof *lengths };

static void check_all(enum fft_lines_kind kind, bool inverse)
{
    static const int shapes[][2] = {{1, 1}, {2, 1}, {7, 7}, {9, 3}, {18, 1}};
    for (int i = 0; i < LENGTHS; i++)
        for (int s = 0; s < 5; s++) {
            check(DTYPE_F32, kind, lengths[i], shapes[s][0], shapes[s][1], inverse);
            check(DTYPE_F64, kind, lengths[i], shapes[s][0], shapes[s][1], inverse);
        }
}

Test(fft_lines, complex_numbers)
{
    check_all(FFT_LINES_COMPLEX, false);
}

Test(fft_lines, inverse)
{
    check_all(FFT_LINES_COMPLEX, true);
}

Test(fft_lines, real_numbers)
{
    check_all(FFT_LINES_REAL, false);
}

Test(fft_lines, halves_to_real_numbers)
{
    check_all(FFT_LINES_HALF, true);
}

Test(fft_lines, in_place)
{
    struct fft_lines_plan *plan;
    static double numbers[2 * 60 * 10];
    make_lines(FFT_LINES_COMPLEX, 60, 10, 5, false);
    copy(true, false, DTYPE_F64, 600, numbers, in);
    cr_assert_null(fft_lines_plan_create(DTYPE_F64, 60, 10, &plan));
    struct fft_lines f = {.plan = plan,
                          .scale = 1,
                          .lines = 10,
                          .inner = 5,
                          .out_inner = 5,
                          .in = numbers,
                          .out = numbers};
    cr_assert_null(fft_lines_run(&f));
    copy(false, false, DTYPE_F64, 600, numbers, out);
    cr_expect(largest_error(600, false) < 2e-14);
    fft_lines_plan_destroy(plan);
}

/* A NaN and small numbers beside large ones stay in their lines. */
Test(fft_lines, lines_do_not_affect_each_other)
{
    for (int n = 59; n <= 60; n++) {
        static double lines[60 * 9], halves[2 * 31 * 9];
        struct fft_lines_plan *plan;
        for (int i = 0; i < n * 9; i++)
            lines[i] = i / n == 3 ? 1e-30 : i / n == 4 ? 1e30 : 1;
        lines[6 * n + 7] = NAN;
        cr_assert_null(fft_lines_plan_create_real(DTYPE_F64, n, 9, &plan));
        struct fft_lines f = {.plan = plan,
                              .kind = FFT_LINES_REAL,
                              .scale = 1,
                              .lines = 9,
                              .inner = 1,
                              .out_inner = 1,
                              .in = lines,
                              .out = halves};
        cr_assert_null(fft_lines_run(&f));
        for (int line = 0; line < 9; line++) {
            double size = lines[line * n], first = halves[line * (n / 2 + 1) * 2];
            bool near = fabs(first - n * size) <= 1e-13 * n * size;
            cr_expect(line == 6 ? isnan(first) : near, "line %d: %g", line, first);
        }
        fft_lines_plan_destroy(plan);
    }
}

Test(fft_lines, long_lines_alone)
{
    check(DTYPE_F64, FFT_LINES_COMPLEX, 4200, 5, 1, false);
    check(DTYPE_F32, FFT_LINES_COMPLEX, 4160, 5, 1, true);
    check(DTYPE_F64, FFT_LINES_COMPLEX, 4096, 4, 1, false);
    check(DTYPE_F32, FFT_LINES_REAL, 4096, 5, 1, false);
    check(DTYPE_F32, FFT_LINES_HALF, 1202, 5, 1, true);
}

/* Large results, written past the caches, against the same in the caches. */
static void check_streams(enum dtype part, int64_t n, int64_t lines, int64_t inner)
{
    size_t bytes = (size_t)(lines * n * 2 * dtype_bytes(part));
    char *from = aligned_alloc(64, bytes), *to[2];
    struct fft_lines_plan *plan;
    for (size_t i = 0; i < bytes; i += (size_t)dtype_bytes(part))
        dtype_from_double(part, random_number(), from + i);
    cr_assert_null(fft_lines_plan_create(part, n, lines, &plan));
    for (int reread = 0; reread < 2; reread++) {
        to[reread] = aligned_alloc(64, bytes);
        struct fft_lines f = {.plan = plan,
                              .scale = 1,
                              .lines = lines,
                              .inner = inner,
                              .out_inner = inner,
                              .reread = reread,
                              .in = from,
                              .out = to[reread]};
        cr_assert_null(fft_lines_run(&f));
    }
    cr_expect(!memcmp(to[0], to[1], bytes), "n %d, %d lines", (int)n, (int)lines);
    fft_lines_plan_destroy(plan);
    free(from);
    free(to[0]);
    free(to[1]);
}

Test(fft_lines, streamed_results_are_the_same)
{
    check_streams(DTYPE_F32, 1024, 1027, 1);
    check_streams(DTYPE_F32, 50, 21008, 21008);
    check_streams(DTYPE_F64, 1024, 515, 1);
    check_streams(DTYPE_F64, 50, 10504, 10504);
}
