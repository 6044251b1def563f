#include "compiler/passes/canonicalize/fft_tables.h"

#include <math.h>

void fft_tables_root(int64_t j, int64_t n, double *re, double *im)
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

bool fft_tables_is_smooth(int64_t n)
{
    for (int64_t prime = 2; prime <= FFT_TABLES_PRIME; prime++)
        while (n > 1 && n % prime == 0)
            n /= prime;
    return n == 1;
}

/* Places whose bits are reversed change with each other. */
static void reverse_bits(double *numbers, int bits)
{
    int64_t n = (int64_t)1 << bits;
    for (int64_t i = 0, j = 0; i < n; i++) {
        for (int part = 0; part < 2 && i < j; part++) {
            double kept = numbers[2 * i + part];
            numbers[2 * i + part] = numbers[2 * j + part];
            numbers[2 * j + part] = kept;
        }
        int64_t bit = n >> 1;
        for (; bit && (j & bit); bit >>= 1)
            j ^= bit;
        j ^= bit;
    }
}

void fft_tables_transform(double *numbers, int bits)
{
    int64_t n = (int64_t)1 << bits;
    reverse_bits(numbers, bits);
    for (int64_t half = 1; half < n; half *= 2)
        for (int64_t k = 0; k < half; k++) {
            double re, im;
            fft_tables_root(k, 2 * half, &re, &im);
            for (int64_t base = k; base < n; base += 2 * half) {
                double *a = numbers + 2 * base, *b = numbers + 2 * (base + half);
                double x = b[0] * re - b[1] * im, y = b[0] * im + b[1] * re;
                b[0] = a[0] - x, b[1] = a[1] - y;
                a[0] += x, a[1] += y;
            }
        }
}
