/* fft_long.h: Fourier transforms of complex lines of any length, in the way of fft_split.h. Lines
 * that stay whole are fft_lines.h's. Long ones are matrices: their columns are transformed, eight
 * adjacent ones at a time, and multiplied by twiddle factors, then their rows, eight at a time,
 * whose results are written transposed. Memory is read and written twice, in contiguous pieces. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_LONG_H
#define GANTRY_DEVICES_HOST_FFT_FFT_LONG_H

#include "devices/host/fft/fft_split.h"
#include "devices/host/fft/fft_lines.h"

/* The plan of one length. */
struct fft_long_plan {
    enum dtype part;
    int64_t n;
    struct fft_split split;
    struct fft_lines_plan *columns, *rows; /* owned; `columns` is NULL for whole lines */
    struct fft_lines_twiddles twiddles;    /* its steps are owned */
    void *chirp, *filter;                  /* owned; of padded lines: n, split.length pairs */
};

/* *out is owned (fft_long_plan_destroy). 1 <= n <= FFT_SPEC_NUMBERS; `lines` and `inner` as in
 * struct fft_long. Errors: RESOURCE_EXHAUSTED. */
struct error *fft_long_plan_create(enum dtype part, int64_t n, int64_t lines, int64_t inner,
                                   struct fft_long_plan **out);
void fft_long_plan_destroy(struct fft_long_plan *plan); /* accepts NULL */

/* Lines as in struct fft_lines, of complex numbers. */
struct fft_long {
    const struct fft_long_plan *plan; /* borrowed */
    bool inverse;
    double scale;
    int64_t lines, inner;
    bool reread; /* as in struct fft_lines */
    const void *in;
    void *out;     /* may be equal to `in` */
    void *scratch; /* for `inner` lines: fft_split_scratch()'s numbers of one; may be equal to `in`
                      if the lines are not padded */
};

/* Runs on the thread pool. Errors: RESOURCE_EXHAUSTED. Thread-safe. */
struct error *fft_long_run(const struct fft_long *f);

#endif
