/* fft_split_test.c: how long lines are divided. */
#include "devices/host/fft/fft_split.h"

#include <criterion/criterion.h>

static void check(int64_t n, bool strided)
{
    struct fft_split split = fft_split_of(n, INT64_MAX, strided);
    cr_assert_eq(split.rows * split.columns, split.length, "%lld", (long long)n);
    cr_assert(split.length == n || split.length >= 2 * n - 1, "%lld", (long long)n);
    cr_assert(split.rows >= 1 && split.rows <= split.columns, "%lld", (long long)n);
    int64_t longest = n <= 1 << 28 ? 1 << 15 : 1 << 19;
    cr_assert(split.rows == 1 || split.columns <= longest, "%lld: %lld", (long long)n,
              (long long)split.columns);
}

static int64_t next_length(int64_t n)
{
    return n < 3000 ? n + 1 : n + n / 97 + 1;
}

Test(fft_split, of_every_length)
{
    for (int64_t n = 1; n <= FFT_SPEC_NUMBERS; n = next_length(n)) {
        check(n, false);
        check(n, true);
    }
    check(FFT_SPEC_NUMBERS, false);
}

Test(fft_split, padded_lengths_are_little_more_than_twice)
{
    for (int64_t n = 100; n <= FFT_SPEC_NUMBERS; n = next_length(n)) {
        int64_t padded = fft_split_padded(n);
        cr_assert(padded >= 2 * n - 1 && padded <= 2 * n + n / 2, "%lld", (long long)n);
        cr_assert(fft_split_is_direct(padded, 8), "%lld", (long long)padded);
    }
}

Test(fft_split, stages_or_padding_whichever_is_less_work)
{
    static const int64_t direct[] = {1, 2, 7, 17, 61, 360, 530, 533, 16384, 30030},
                         padded[] = {127, 131, 1009, 4099, 65537, 2 * 1009};
    for (size_t i = 0; i < sizeof direct / sizeof *direct; i++)
        cr_expect(fft_split_is_direct(direct[i], 8), "%d", (int)direct[i]);
    for (size_t i = 0; i < sizeof padded / sizeof *padded; i++)
        cr_expect(!fft_split_is_direct(padded[i], 8), "%d", (int)padded[i]);
}

Test(fft_split, few_lines_are_padded_sooner)
{
    cr_expect(!fft_split_is_direct(533, 1));
    cr_expect(fft_split_is_direct(533, 4));
    cr_expect(fft_split_is_direct(536, 1));
    cr_expect(fft_split_is_direct(15, 1));
}

/* Eight lines at a time would be one, and seven that are not there. */
Test(fft_split, one_line_is_a_matrix_unless_eight_divides_it)
{
    cr_expect_eq(fft_split_of(500, 1, false).rows, 20);
    cr_expect_eq(fft_split_of(500, 1, false).length, 500);
    cr_expect_eq(fft_split_of(504, 1, false).rows, 1);
    cr_expect_eq(fft_split_of(500, 3, false).rows, 1);
    cr_expect_eq(fft_split_of(2500, 3, false).rows, 50);
    cr_expect_eq(fft_split_of(2500, 4, false).rows, 1);
    cr_expect_eq(fft_split_of(500, 1, true).rows, 1);
    cr_expect_eq(fft_split_of(4 * 127, 1, false).rows, 1);
    cr_expect_eq(fft_split_real(1000, 1), FFT_SPLIT_HALF);
    cr_expect_eq(fft_split_real(1000, 8), FFT_SPLIT_LINES);
}

Test(fft_split, real_lines)
{
    cr_expect_eq(fft_split_real(530, INT64_MAX), FFT_SPLIT_LINES);
    cr_expect_eq(fft_split_real(533, INT64_MAX), FFT_SPLIT_LINES);
    cr_expect_eq(fft_split_real(1 << 20, INT64_MAX), FFT_SPLIT_HALF);
    cr_expect_eq(fft_split_real(1000003, INT64_MAX), FFT_SPLIT_WHOLE);
}

/* Scratch is a small multiple of the numbers that are transformed. */
Test(fft_split, scratch_is_bounded)
{
    for (int kind = 0; kind < 4; kind++)
        for (int64_t n = 2; n <= FFT_SPEC_NUMBERS / 16; n = next_length(n)) {
            struct fft_spec one = {.kind = kind, .dims = 1, .lengths = {n}, .outer = 3},
                            two = {.kind = kind, .dims = 2, .lengths = {n, 4}, .outer = 1};
            cr_assert_leq(fft_split_scratch(&one), 7 * n, "%lld", (long long)n);
            cr_assert_leq(fft_split_scratch(&two), 7 * 4 * n, "%lld", (long long)n);
        }
    struct fft_spec small = {.dims = 1, .lengths = {1024}, .outer = 1024};
    cr_expect_eq(fft_split_scratch(&small), 0);
}
