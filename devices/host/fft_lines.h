/* fft_lines.h: Fourier transforms of the lines of an array along one dimension, for transforms
 * that are too small to be worth a generated kernel (fft_call.h).
 *
 * A line has n complex numbers. Eight lines are transformed together: they are loaded with real
 * and imaginary parts apart, number j of line l at 8 j + l, and go through Stockham's algorithm in
 * stages of radix 4, 2, 3, 5 and odd primes, with a vector of eight lines in place of each number.
 * Of few or long lines each is transformed alone, as eight: its numbers j mod 8, then sums over
 * these eight. Lengths with large prime factors are a convolution with exp(-i pi j^2 / n) of a
 * longer transform (Bluestein). Real lines are transformed in pairs, as real and imaginary part.
 *
 * The inverse transform is the forward one with real and imaginary parts exchanged. The bits of
 * results do not depend on the processor. */
#ifndef GANTRY_DEVICES_HOST_FFT_LINES_H
#define GANTRY_DEVICES_HOST_FFT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "compiler/program/program.h"

enum { FFT_LINES = 8, FFT_LINES_STAGES = 20 };

struct fft_lines_stage {
    int64_t radix, s, m; /* s: the product of the radices before, m: of those after this one */
    void *roots;         /* owned: [p < m][1 <= k < radix] exp(-2 pi i p k / (radix m)), pairs */
    void *circle;        /* owned: of primes above 5: [j < radix] exp(-2 pi i j / radix), pairs */
};

struct fft_lines_stages {
    int64_t n;
    int count;
    struct fft_lines_stage at[FFT_LINES_STAGES];
};

/* The plan of one length; `part` is f32 or f64. Pairs are complex numbers of two `part`. */
struct fft_lines_plan {
    enum dtype part;
    int64_t n, length;              /* of the lines; of the transform: longer if it is padded */
    struct fft_lines_stages stages; /* of eight lines of `length` */
    struct fft_lines_stages
        eighths;          /* of the eighths of one line; n is 0 if 8 does not divide it */
    void *twiddles;       /* [k < length / 8][part][j < 8] exp(-2 pi i j k / length) */
    void *chirp, *filter; /* Bluestein's factors: n, length pairs; or NULL */
};

/* *out is owned (fft_lines_plan_destroy). n >= 1. Errors: RESOURCE_EXHAUSTED. */
struct error *fft_lines_plan_create(enum dtype part, int64_t n, struct fft_lines_plan **out);
void fft_lines_plan_destroy(struct fft_lines_plan *plan); /* accepts NULL */

enum fft_lines_kind {
    FFT_LINES_COMPLEX, /* n complex numbers to as many */
    FFT_LINES_REAL,    /* n real numbers to the first n / 2 + 1 results */
    FFT_LINES_HALF     /* n / 2 + 1 complex numbers, the others being their conjugates, to n real */
};

/* Transforms of the lines along a dimension. Line l starts, in units of numbers, at l / inner *
 * inner * (numbers of a line) + l % inner; its numbers are `inner` apart. */
struct fft_lines {
    const struct fft_lines_plan *plan; /* borrowed */
    enum fft_lines_kind kind;
    bool inverse;         /* divides by n; always with FFT_LINES_HALF, never with FFT_LINES_REAL */
    int64_t lines, inner; /* inner divides lines */
    const void *in;
    void *out; /* may be equal to `in` for FFT_LINES_COMPLEX */
};

/* Runs on the thread pool where it is worth it. Errors: RESOURCE_EXHAUSTED. Thread-safe. */
struct error *fft_lines_run(const struct fft_lines *lines);

/* One block of lines: for FFT_LINES_COMPLEX of at most eight from `first`, for the others of at
 * most sixteen; if `alone`, which requires eighths, the line or pair at `first`. Buffers are four
 * arrays of length * (eight, or one if `alone`) parts, 64-byte aligned. */
typedef void fft_lines_block_function(const struct fft_lines *lines, int64_t first, bool alone,
                                      void *const buffers[4]);

#endif
