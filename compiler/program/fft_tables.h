/* fft_tables.h: the constants of Fourier transforms, and which lengths one kernel transforms. A
 * table is described by a few numbers. The compiler computes small tables; large ones are computed
 * when the program first runs (program.h). Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_FFT_TABLES_H
#define GANTRY_COMPILER_PROGRAM_FFT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"

enum {
    FFT_TABLES_PRIME = 127,     /* the largest prime factor of a stage of a kernel */
    FFT_TABLES_DIRECT = 1 << 14 /* the longest row that one kernel transforms */
};

/* Whether transforming n in stages, one for each prime factor, is less work than padding: n has no
 * prime factor above 31, and none above 13 that dominates it. */
bool fft_tables_is_smooth(int64_t n);

/* Angles are negative, or positive when `inverse`. */
enum fft_table_kind {
    FFT_TABLE_ROOTS,    /* k in [0, count): factor * exp(-+ 2 pi i k / n); count <= n */
    FFT_TABLE_TWIDDLES, /* count = n; row j, column k of `columns`: exp(-+ 2 pi i j k / n) */
    FFT_TABLE_CHIRP,    /* count = n; j: factor_re * exp(-+ pi i j^2 / n) */
    /* count: fft_transform_length(2n - 1); the transform of the chirp's conjugate at j and -j */
    FFT_TABLE_FILTER
};

struct fft_table {
    enum fft_table_kind kind;
    enum dtype dtype; /* DTYPE_C64 or DTYPE_C128 */
    bool inverse;
    int64_t n, count; /* length of the transform; number of elements of the table */
    int64_t columns;  /* of twiddles: a divisor of n; otherwise 1 */
    double factor_re, factor_im;
};

/* Whether the fields describe a valid table; lengths are at most 2^40. */
bool fft_tables_is_valid(const struct fft_table *table);
/* Writes the table's `count` elements, in parallel on the thread pool. The bits depend only on the
 * description. Errors: RESOURCE_EXHAUSTED. */
struct error *fft_tables_fill(const struct fft_table *table, void *bytes);

#endif
