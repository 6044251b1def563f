/* Checks the constants of Fourier transforms against their definitions. */
#include "compiler/program/fft_tables.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/program/fft_transform.h"

Test(fft_tables, smooth_lengths)
{
    cr_expect(fft_tables_is_smooth(1));
    cr_expect(fft_tables_is_smooth(13 * 13));
    cr_expect(fft_tables_is_smooth(17 * 24));
    cr_expect(fft_tables_is_smooth(31 * 31 * 64));
    cr_expect_not(fft_tables_is_smooth(17));
    cr_expect_not(fft_tables_is_smooth(2 * 31));
    cr_expect_not(fft_tables_is_smooth(37 * 64));
}

/* Checks elements of a table against the formulas in the header. */
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

/* The filter is a transform: transforming it again gives M times the mirrored conjugate of the
 * chirp. */
Test(fft_tables, the_filter_is_a_transform)
{
    enum { N = 1009, M = 2048 };
    double *filter = calloc(M, 2 * sizeof *filter), *back = calloc(M, 2 * sizeof *back);
    struct fft_table table = {
        .kind = FFT_TABLE_FILTER, .dtype = DTYPE_C128, .n = N, .count = M, .columns = 1};
    cr_assert(fft_tables_is_valid(&table));
    cr_assert_null(fft_tables_fill(&table, filter));
    memcpy(back, filter, M * 2 * sizeof *back);
    cr_assert_null(fft_transform(back, M));
    for (int64_t j = 0; j < N; j++)
        for (int side = 0; side < 2; side++) {
            const double *at = back + 2 * fft_transform_index(side ? (M - j) % M : j, M);
            double angle = acos(-1) * (double)(j * j % (2 * N)) / N;
            cr_expect_lt(fabs(at[0] / M - cos(angle)), 1e-11);
            cr_expect_lt(fabs(at[1] / M - sin(angle)), 1e-11);
        }
    free(filter);
    free(back);
}

/* Rejects a filter whose length does not match its transform, since the length determines the
 * cost. */
Test(fft_tables, lengths_of_filters_are_those_of_their_transforms)
{
    struct fft_table table = {
        .kind = FFT_TABLE_FILTER, .dtype = DTYPE_C64, .n = 1009, .count = 4096, .columns = 1};
    cr_expect_not(fft_tables_is_valid(&table));
    table.count = 2048;
    cr_expect(fft_tables_is_valid(&table));
}
