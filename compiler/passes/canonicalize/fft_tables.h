/* fft_tables.h: the constants of Fourier transforms, and which lengths are done in one piece. Pure
 * functions. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_FFT_TABLES_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_FFT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FFT_TABLES_PRIME = 127,     /* the largest prime factor of a stage of a kernel */
    FFT_TABLES_DIRECT = 1 << 14 /* the longest row that one kernel transforms */
};

/* exp(-2 pi i j / n) rounded once to double: cosine and sine. Exact at multiples of 90 degrees.
 * j >= 0. */
void fft_tables_root(int64_t j, int64_t n, double *re, double *im);
/* Whether n has no prime factor above FFT_TABLES_PRIME. */
bool fft_tables_is_smooth(int64_t n);
/* Transforms 2^bits complex numbers (pairs) in place; by exp(-2 pi i j k / n). */
void fft_tables_transform(double *numbers, int bits);

#endif
