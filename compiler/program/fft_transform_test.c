#include "compiler/program/fft_transform.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "compiler/program/fft_roots.h"

Test(fft_transform, lengths_are_at_most_a_third_longer)
{
    for (int64_t min_square = 1; min_square < 5000; min_square++) {
        int64_t length = fft_transform_length(min_square);
        cr_assert(length >= min_square && (min_square < 8 || 3 * length <= 4 * min_square + 8),
                  "%d: %d", (int)min_square, (int)length);
        cr_assert_eq(fft_transform_length(length), length);
    }
    cr_expect_eq(fft_transform_length(2 * ((INT64_C(1) << 25) - 1) - 1), INT64_C(1) << 26);
    cr_expect_eq(fft_transform_length(131073), 9 << 14);
}

/* Checks some of the results against the definition. */
static void check(int64_t n)
{
    double *numbers = calloc((size_t)n, 2 * sizeof *numbers);
    for (int64_t i = 0; i < 2 * n; i++)
        numbers[i] = sin((double)(i * i % 1000) + 1);
    double *in = malloc((size_t)n * 2 * sizeof *in);
    for (int64_t i = 0; i < 2 * n; i++)
        in[i] = numbers[i];
    cr_assert_null(fft_transform(numbers, n));
    for (int64_t k = 0; k < n; k += n / 40 + 1) {
        double sum[2] = {0, 0}, re, im;
        for (int64_t j = 0; j < n; j++) {
            fft_roots_one(j * k % n, n, &re, &im);
            sum[0] += in[2 * j] * re - in[2 * j + 1] * im;
            sum[1] += in[2 * j] * im + in[2 * j + 1] * re;
        }
        const double *at = numbers + 2 * fft_transform_index(k, n);
        double error = fabs(at[0] - sum[0]) + fabs(at[1] - sum[1]);
        cr_assert_lt(error, 1e-12 * sqrt((double)n) * 10, "%d at %d: %g", (int)n, (int)k, error);
    }
    free(in);
    free(numbers);
}

Test(fft_transform, results_as_defined)
{
    static const int64_t lengths[] = {1,  2,   3,   4,    5,    6,    8,      9,
                                      10, 12,  15,  16,   20,   24,   36,     60,
                                      64, 144, 640, 1024, 2048, 3072, 9 << 8, 15 << 10};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        check(lengths[i]);
}

Test(fft_transform, other_lengths_are_refused)
{
    double numbers[2 * 7] = {0};
    struct error *error = fft_transform(numbers, 7);
    cr_assert(error && error_code(error) == PJRT_Error_Code_INVALID_ARGUMENT);
    error_free(error);
}
