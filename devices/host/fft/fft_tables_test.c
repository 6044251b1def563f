/* fft_tables_test.c: the tables against their definitions. */
#include "devices/host/fft/fft_tables.h"

#include <criterion/criterion.h>
#include <math.h>

enum { N = 5000 };

static void expect_root(const double *at, double turns)
{
    double angle = -2 * acos(-1) * turns;
    cr_expect_float_eq(at[0], cos(angle), 1e-11);
    cr_expect_float_eq(at[1], sin(angle), 1e-11);
}

Test(fft_tables, roots)
{
    static double wide[2 * N];
    static float narrow[2 * N];
    cr_assert_null(fft_tables_roots(DTYPE_F64, 2 * N, N, wide));
    cr_assert_null(fft_tables_roots(DTYPE_F32, 2 * N, N, narrow));
    for (int k = 0; k < N; k++) {
        expect_root(wide + 2 * k, k / (2.0 * N));
        cr_expect_eq(narrow[2 * k], (float)wide[2 * k]);
        cr_expect_eq(narrow[2 * k + 1], (float)wide[2 * k + 1]);
    }
}

Test(fft_tables, chirp)
{
    static double chirp[2 * N];
    cr_assert_null(fft_tables_chirp(N, chirp));
    for (int64_t j = 0; j < N; j++)
        expect_root(chirp + 2 * j, (double)(j * j % (2 * N)) / (2.0 * N));
}
