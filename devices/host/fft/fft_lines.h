/* fft_lines.h: Fourier transforms of the lines of an array along one dimension, for lines that fit
 * the caches; fft_long.h is for longer ones.
 *
 * A line has n complex numbers. Eight lines are transformed together: they are loaded with real
 * and imaginary parts apart, number j of line l at 8 j + l, and go through Stockham's algorithm in
 * stages of radix 8, 4, 2, 3, 5 and odd primes, with a vector of eight lines in place of each
 * number. Of many numbers a few columns and then rows are transformed at a time, as a matrix.
 * A contiguous or long line is transformed alone, as eight: its numbers j mod 8, then sums over
 * these eight. Lengths with large prime factors are a convolution with exp(-i pi j^2 / n) by
 * longer transforms (Bluestein). Real lines of even lengths are transformed as complex lines of
 * half the length, those of odd lengths as complex lines without imaginary part: two lines are
 * never mixed, so that neither a NaN nor a large number of one affects another.
 *
 * The inverse transform is the forward one with real and imaginary parts exchanged. The bits of
 * results do not depend on the processor. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_LINES_H
#define GANTRY_DEVICES_HOST_FFT_FFT_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "compiler/program/program.h"

enum { FFT_LINES = 8, FFT_LINES_STAGES = 20, FFT_LINES_BUFFERS = 6, FFT_LINES_GROUP = 4 };

struct fft_lines_stage {
    int64_t radix, s, m; /* s: the product of the radices before, m: of those after this one */
    void *roots;         /* owned: [p < m][1 <= k < radix] exp(-2 pi i p k / (radix m)), pairs */
    void *circle;        /* owned: of primes above 5: [j < radix] exp(-2 pi i j / radix), pairs */
};

struct fft_lines_stages {
    int64_t n;
    int count;
    struct fft_lines_stage at[FFT_LINES_STAGES];
    struct fft_lines_nest *nest; /* owned; instead of stages, or NULL */
};

/* Many numbers as a matrix: its columns are transformed, multiplied by twiddles, then its rows, a
 * group of adjacent ones at a time, which the first cache holds. The stages are of groups: their s
 * is a multiple of FFT_LINES_GROUP, which divides both n. */
struct fft_lines_nest {
    struct fft_lines_stages columns, rows; /* of as many numbers as there are rows, columns */
    void *twiddles; /* owned: [group][k < rows][c < FFT_LINES_GROUP] exp(-2 pi i column k / n) */
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
    int64_t real;         /* the numbers of real lines: n if that is odd, 2 n; or 0: complex ones */
    void *halves;         /* of real lines with even lengths: n + 1 pairs, exp(-i pi k / n) */
};

/* *out is owned (fft_lines_plan_destroy). n >= 1. `lines`, how many there usually are, decides with
 * n whether they are padded (fft_split_is_direct()). Errors: RESOURCE_EXHAUSTED. */
struct error *fft_lines_plan_create(enum dtype part, int64_t n, int64_t lines,
                                    struct fft_lines_plan **out);
/* The same for real lines of n numbers. */
struct error *fft_lines_plan_create_real(enum dtype part, int64_t n, int64_t lines,
                                         struct fft_lines_plan **out);
void fft_lines_plan_destroy(struct fft_lines_plan *plan); /* accepts NULL */

enum fft_lines_kind {
    FFT_LINES_COMPLEX, /* n complex numbers to as many */
    FFT_LINES_REAL,    /* `real` numbers to their first real / 2 + 1 results */
    FFT_LINES_HALF     /* real / 2 + 1 complex numbers, the others being their conjugates, to real
                          numbers */
};

/* Factors of results: exp(-2 pi i c k / N) of result k, where c is the line's column. k = fine a +
 * b, and the factor is the product of those of fine a and of b, which are tables, in double
 * precision. With `inverse` the factors are conjugates. */
struct fft_lines_twiddles {
    int64_t inner;        /* line l is in column l % fft_lines.inner / inner */
    int64_t fine, coarse; /* fine * coarse >= n */
    double *steps;        /* [column][b < fine, then a < coarse], pairs */
};

/* Transforms of the lines along a dimension. Line l starts, in units of numbers, at l / inner *
 * inner * (numbers of a line) + l % inner; its numbers are `inner` apart. */
struct fft_lines {
    const struct fft_lines_plan *plan; /* borrowed */
    enum fft_lines_kind kind;
    bool inverse; /* always with FFT_LINES_HALF, never with FFT_LINES_REAL */
    double scale; /* of the results: usually 1, or 1 / n of the inverse transform */
    int64_t lines, inner;
    int64_t out_inner; /* of the results; both divide lines; 1 except for FFT_LINES_COMPLEX */
    const struct fft_lines_twiddles *twiddles; /* borrowed; or NULL; for FFT_LINES_COMPLEX */
    bool tiled;  /* number j of line l is read at j / 8 * 8 * lines + 8 l + j % 8 instead, as lines
                   are written with an out_inner of 8; eight divides n, `inner` is 1 */
    bool reread; /* the results are read soon, so they should be in the caches */
    const void *in;
    void *out; /* may be equal to `in` for FFT_LINES_COMPLEX, if both have the same `inner` */
};

/* Runs on the thread pool where it is worth it. Errors: RESOURCE_EXHAUSTED. Thread-safe. */
struct error *fft_lines_run(const struct fft_lines *lines);

struct fft_lines_way {
    bool alone;   /* a block is one line; requires eighths and no twiddles */
    bool streams; /* results are written past the caches where whole lines of these are written */
};

/* One block of at most eight lines from `first`, or the line `first`. Buffers are four arrays of
 * more than length * (eight, or one if `alone`) parts, one for the groups of a nest, and one for
 * the steps of eight columns, 64-byte aligned. */
typedef void fft_lines_block_function(const struct fft_lines *lines, int64_t first,
                                      struct fft_lines_way way,
                                      void *const buffers[FFT_LINES_BUFFERS]);

#endif
