/* The constants of Fourier transforms against their definitions. */
#include "compiler/passes/canonicalize/fft_tables.h"

#include <criterion/criterion.h>
#include <math.h>

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
