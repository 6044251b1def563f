/* fft_tables.h: the constants of Fourier transforms, and which lengths are done in one piece. A
 * table is described by a few numbers and computed where it is needed: by the compiler when it is
 * small, when the program first runs when it is large (program.h). Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_FFT_TABLES_H
#define GANTRY_COMPILER_PROGRAM_FFT_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"

enum {
    FFT_TABLES_PRIME = 127,     /* the largest prime factor that a stage of a kernel takes */
    FFT_TABLES_DIRECT = 1 << 14 /* the longest row that one kernel transforms */
};

/* exp(-2 pi i j / n) rounded once to double: cosine and sine; exact for quarter turns. j >= 0. */
void fft_tables_root(int64_t j, int64_t n, double *re, double *im);
/* Whether n has no prime factor above FFT_TABLES_PRIME. */
bool fft_tables_is_smooth(int64_t n);
/* Transforms 2^bits complex numbers (pairs) in place; by exp(-2 pi i j k / n). Uses the pool. */
void fft_tables_transform(double *numbers, int bits);

/* Angles are negative, or positive when `inverse`. */
enum fft_table_kind {
    FFT_TABLE_ROOTS,    /* k in [0, count): factor * exp(-+ 2 pi i k / n); count <= n */
    FFT_TABLE_TWIDDLES, /* count = n; row j, column k of `columns`: exp(-+ 2 pi i j k / n) */
    FFT_TABLE_CHIRP,    /* count = n; j: factor_re * exp(-+ pi i j^2 / n) */
    /* count: a power of two >= 2n - 1; the transform of the chirp's conjugate at j and -j */
    FFT_TABLE_FILTER
};

struct fft_table {
    enum fft_table_kind kind;
    enum dtype dtype; /* DTYPE_C64 or DTYPE_C128 */
    bool inverse;
    int64_t n, count; /* of the transform, and of the table's elements */
    int64_t columns;  /* of twiddles: a divisor of n; otherwise 1 */
    double factor_re, factor_im;
};

/* Whether the numbers are those of a table; lengths are at most 2^40. */
bool fft_tables_is_valid(const struct fft_table *table);
/* Writes the table's `count` elements, on the pool. The bits depend on the description alone.
 * RESOURCE_EXHAUSTED. */
struct error *fft_tables_fill(const struct fft_table *table, void *bytes);

#endif
