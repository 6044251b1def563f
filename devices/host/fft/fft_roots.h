/* fft_roots.h: roots of unity in double precision. Thread-safe. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_ROOTS_H
#define GANTRY_DEVICES_HOST_FFT_FFT_ROOTS_H

#include <stdint.h>

#include "base/error.h"

/* exp(-2 pi i j / n) as cosine and sine, each rounded once to double; exact for multiples of a
 * quarter turn. j >= 0. */
void fft_roots_one(int64_t j, int64_t n, double *re, double *im);

/* Writes root i * step for all i < count, as pairs (re, im). */
void fft_roots_fill(double *table, int64_t count, int64_t step, int64_t n);

/* The n-th roots of unity as products of two short tables, in O(sqrt(n)) bytes. */
struct fft_roots {
    int64_t n;
    int fine_bits;
    double *coarse, *fine; /* owned */
};

struct error *fft_roots_create(struct fft_roots *out, int64_t n); /* RESOURCE_EXHAUSTED */
void fft_roots_destroy(struct fft_roots *roots);                  /* accepts a zeroed one */
/* The same as fft_roots_one() except for the last bits. j >= 0. */
void fft_roots_at(const struct fft_roots *roots, int64_t j, double *re, double *im);
/* Those of `count` numbers from `first`, which are below n, the parts apart. */
void fft_roots_range(const struct fft_roots *roots, int64_t first, int64_t count, double *re,
                     double *im);

#endif
