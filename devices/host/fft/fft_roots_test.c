#include "devices/host/fft/fft_roots.h"

#include <criterion/criterion.h>
#include <math.h>

Test(fft_roots, exact_at_quarter_turns)
{
    double re, im;
    fft_roots_one(3, 12, &re, &im);
    cr_expect(re == 0 && im == -1);
    fft_roots_one(18, 12, &re, &im);
    cr_expect(re == -1 && im == 0);
    fft_roots_one(1, 8, &re, &im);
    cr_expect(fabs(re - sqrt(0.5)) < 1e-16 && fabs(im + sqrt(0.5)) < 1e-16);
}

static void check_products(int64_t n)
{
    struct fft_roots roots;
    cr_assert_null(fft_roots_create(&roots, n));
    for (int64_t i = 0; i < 5000; i++) {
        int64_t j = i < 2500 ? i : n - 5000 + i;
        double re, im, expected_re, expected_im;
        if (j < 0)
            continue;
        fft_roots_at(&roots, j, &re, &im);
        fft_roots_one(j, n, &expected_re, &expected_im);
        cr_assert_lt(fabs(re - expected_re) + fabs(im - expected_im), 1e-15);
    }
    for (int64_t quarter = 0; n % 4 == 0 && quarter < 8; quarter++) {
        double re, im;
        fft_roots_at(&roots, quarter * (n / 4), &re, &im);
        cr_assert(fabs(re) + fabs(im) == 1);
    }
    fft_roots_destroy(&roots);
}

Test(fft_roots, products_of_short_tables)
{
    static const int64_t counts[] = {1, 2, 3, 100, 4096, 4097, 1 << 20, 1048583, INT64_C(1) << 41};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        check_products(counts[i]);
}
