/* The constants of Fourier transforms against their definitions. */
#include "compiler/program/fft_tables.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

Test(fft_tables, roots_are_exact_at_quarter_turns)
{
    double re, im;
    fft_tables_root(3, 12, &re, &im);
    cr_expect(re == 0 && im == -1);
    fft_tables_root(18, 12, &re, &im);
    cr_expect(re == -1 && im == 0);
    fft_tables_root(1, 8, &re, &im);
    cr_expect(fabs(re - sqrt(0.5)) < 1e-16 && fabs(im + sqrt(0.5)) < 1e-16);
}

Test(fft_tables, smooth_lengths)
{
    cr_expect(fft_tables_is_smooth(1));
    cr_expect(fft_tables_is_smooth(127 * 127 * 4));
    cr_expect_not(fft_tables_is_smooth(131 * 2));
}

Test(fft_tables, transforms_as_defined)
{
    enum { BITS = 6, N = 1 << BITS };
    double in[2 * N], out[2 * N];
    for (int i = 0; i < 2 * N; i++)
        in[i] = out[i] = sin(i * i + 1);
    fft_tables_transform(out, BITS);
    for (int k = 0; k < N; k++) {
        double sum_re = 0, sum_im = 0;
        for (int j = 0; j < N; j++) {
            double re, im;
            fft_tables_root(j * k, N, &re, &im);
            sum_re += in[2 * j] * re - in[2 * j + 1] * im;
            sum_im += in[2 * j] * im + in[2 * j + 1] * re;
        }
        cr_expect(fabs(sum_re - out[2 * k]) < 1e-13 && fabs(sum_im - out[2 * k + 1]) < 1e-13);
    }
}

/* Elements of a filled table, as the formulas of the header give them. */
static void check_table(struct fft_table table)
{
    double *bytes = calloc((size_t)table.count, 2 * sizeof *bytes);
    table.dtype = DTYPE_C128;
    cr_assert(fft_tables_is_valid(&table));
    cr_assert_null(fft_tables_fill(&table, bytes));
    double sign = table.inverse ? 1 : -1;
    for (int64_t i = 0; i < table.count; i++) {
        int64_t j = i / table.columns, k = i % table.columns;
        double angle = sign * acos(-1) / (double)table.n, re = 1, im = 0;
        if (table.kind == FFT_TABLE_ROOTS)
            angle *= 2 * (double)i, re = table.factor_re, im = table.factor_im;
        else if (table.kind == FFT_TABLE_TWIDDLES)
            angle *= 2 * (double)(j * k);
        else
            angle *= (double)(i * i), re = table.factor_re;
        cr_expect_lt(fabs(bytes[2 * i] - (re * cos(angle) - im * sin(angle))), 1e-11);
        cr_expect_lt(fabs(bytes[2 * i + 1] - (re * sin(angle) + im * cos(angle))), 1e-11);
    }
    free(bytes);
}

Test(fft_tables, tables_as_defined)
{
    for (int inverse = 0; inverse < 2; inverse++) {
        check_table((struct fft_table){.kind = FFT_TABLE_ROOTS,
                                       .inverse = inverse,
                                       .n = 1000,
                                       .count = 501,
                                       .columns = 1,
                                       .factor_re = 0.25,
                                       .factor_im = -0.5});
        check_table((struct fft_table){.kind = FFT_TABLE_TWIDDLES,
                                       .inverse = inverse,
                                       .n = 20000,
                                       .count = 20000,
                                       .columns = 100});
        check_table((struct fft_table){.kind = FFT_TABLE_CHIRP,
                                       .inverse = inverse,
                                       .n = 257,
                                       .count = 257,
                                       .columns = 1,
                                       .factor_re = 0.5});
    }
}

/* The filter convolves: its inverse transform is the chirp's conjugate. */
Test(fft_tables, the_filter_is_a_transform)
{
    enum { N = 11, BITS = 5, M = 1 << BITS };
    double filter[2 * M];
    struct fft_table table = {
        .kind = FFT_TABLE_FILTER, .dtype = DTYPE_C128, .n = N, .count = M, .columns = 1};
    cr_assert(fft_tables_is_valid(&table));
    cr_assert_null(fft_tables_fill(&table, filter));
    fft_tables_transform(filter, BITS); /* the mirrored sequence, M times */
    for (int64_t j = 0; j < N; j++)
        for (int side = 0; side < 2; side++) {
            int64_t at = side ? (M - j) % M : j;
            double angle = acos(-1) * (double)(j * j) / N;
            cr_expect_lt(fabs(filter[2 * at] / M - cos(angle)), 1e-12);
            cr_expect_lt(fabs(filter[2 * at + 1] / M - sin(angle)), 1e-12);
        }
}
