/* fft_long_real.h: Fourier transforms of contiguous real lines of any length, to the first
 * n / 2 + 1 results, and back. fft_split_real() says how. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_LONG_REAL_H
#define GANTRY_DEVICES_HOST_FFT_FFT_LONG_REAL_H

#include "devices/host/fft/fft_roots.h"
#include "devices/host/fft/fft_long.h"

/* The plan of lines of one length, of which there are `lines`. */
struct fft_long_real_plan {
    enum dtype part;
    int64_t n, lines;
    enum fft_split_real how;
    struct fft_lines_plan *whole;  /* owned; of FFT_SPLIT_LINES */
    struct fft_long_plan *complex; /* owned; of the others: n / 2 or n numbers */
    struct fft_roots roots;        /* of FFT_SPLIT_HALF: exp(-2 pi i k / n) */
};

/* *out is owned (fft_long_real_plan_destroy). Errors: RESOURCE_EXHAUSTED. */
struct error *fft_long_real_plan_create(enum dtype part, int64_t n, int64_t lines,
                                        struct fft_long_real_plan **out);
void fft_long_real_plan_destroy(struct fft_long_real_plan *plan); /* accepts NULL */

/* From n real numbers a line to n / 2 + 1 complex ones, or, if `to_real`, back: the inverse
 * transform of lines whose other results are the conjugates. `scratch` has fft_split_scratch()'s
 * numbers. `out` must not overlap `in`. Runs on the thread pool. Errors: RESOURCE_EXHAUSTED.
 * Thread-safe. */
struct error *fft_long_real_run(const struct fft_long_real_plan *plan, bool to_real, const void *in,
                                void *scratch, void *out);

#endif
