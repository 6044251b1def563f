/* fft_roots.c: see fft_roots.h. */
#include "devices/host/fft/fft_roots.h"

#include <math.h>
#include <stdbool.h>

#include "base/alloc.h"

enum { EXACT_BITS = 12 }; /* up to 2^EXACT_BITS roots are one table */

void fft_roots_one(int64_t j, int64_t n, double *re, double *im)
{
    j %= n;
    long double angle =
        2 * 3.14159265358979323846264338327950288L * (long double)j / (long double)n;
    *re = (double)cosl(angle);
    *im = -(double)sinl(angle);
    if (4 * j % n == 0) {
        static const double exact[4] = {1, 0, -1, 0};
        *re = exact[4 * j / n];
        *im = exact[(4 * j / n + 1) % 4];
    }
}

void fft_roots_fill(double *table, int64_t count, int64_t step, int64_t n)
{
    for (int64_t i = 0; i < count; i++)
        fft_roots_one(i * step, n, &table[2 * i], &table[2 * i + 1]);
}

struct error *fft_roots_create(struct fft_roots *out, int64_t n)
{
    *out = (struct fft_roots){.n = n, .fine_bits = EXACT_BITS};
    while ((INT64_C(1) << 2 * out->fine_bits) < n)
        out->fine_bits++;
    int64_t fine = INT64_C(1) << out->fine_bits, coarse = (n >> out->fine_bits) + 1;
    TRY(alloc_array((size_t)fine, 2 * sizeof *out->fine, &out->fine));
    TRY(alloc_array((size_t)coarse, 2 * sizeof *out->coarse, &out->coarse));
    fft_roots_fill(out->fine, fine < n ? fine : n, 1, n);
    fft_roots_fill(out->coarse, coarse, fine, n);
    return NULL;
}

void fft_roots_destroy(struct fft_roots *roots)
{
    alloc_free(roots->coarse);
    alloc_free(roots->fine);
    *roots = (struct fft_roots){0};
}

/* requires 0 <= j < n; avoids a division */
static bool is_quarter_turn(int64_t j, int64_t n)
{
    return j == 0 || 4 * j == n || 2 * j == n || 4 * j == 3 * n;
}

void fft_roots_at(const struct fft_roots *roots, int64_t j, double *re, double *im)
{
    j = j < roots->n ? j : j % roots->n;
    if (is_quarter_turn(j, roots->n)) {
        fft_roots_one(j, roots->n, re, im);
        return;
    }
    const double *a = roots->coarse + 2 * (j >> roots->fine_bits);
    const double *b = roots->fine + 2 * (j & ((INT64_C(1) << roots->fine_bits) - 1));
    *re = a[0] * b[0] - a[1] * b[1];
    *im = a[0] * b[1] + a[1] * b[0];
}

void fft_roots_range(const struct fft_roots *roots, int64_t first, int64_t count, double *re,
                     double *im)
{
    for (int64_t i = 0; i < count; i++)
        fft_roots_at(roots, first + i, &re[i], &im[i]);
}
