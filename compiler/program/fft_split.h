/* fft_split.h: how the built-in Fourier transforms (devices/host/fft/fft_call.h) divide long lines,
 * and the scratch that they need: the compiler plans that memory, the device uses it.
 *
 * A line of n = rows * columns complex numbers is transformed as a matrix: first its columns, then,
 * multiplied by twiddle factors, its rows. Lengths with large prime factors are padded, for a
 * convolution (Bluestein's algorithm). A real line of even length is transformed as the complex
 * line of its pairs. */
#ifndef GANTRY_COMPILER_PROGRAM_FFT_SPLIT_H
#define GANTRY_COMPILER_PROGRAM_FFT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    FFT_SPLIT_DIMS = 3,         /* the most that one call transforms */
    FFT_SPLIT_LENGTH = 1 << 28, /* the longest line */
    FFT_SPLIT_COLUMNS = 16,     /* of padded lines that are not contiguous, done together */
    FFT_SPLIT_PRIME = 127,      /* the largest radix of a stage */
    FFT_SPLIT_FEW = 3           /* lines that are not worth eight */
};
#define FFT_SPLIT_NUMBERS (INT64_C(1) << 34) /* the most numbers of an operand or result */

/* Whether lines of n numbers are transformed in stages, one for each prime factor, not padded: no
 * factor is above FFT_SPLIT_PRIME, and that is less work. A transform of eight lines together costs
 * the same for fewer; one line alone, whose length eight must divide, as that of padded lines,
 * costs a quarter of that. */
bool fft_split_is_direct(int64_t n, int64_t lines);
/* The shortest product of small primes to which lines of n numbers are padded: at least 2 n - 1. */
int64_t fft_split_padded(int64_t n);

/* The largest divisor of n > 0 that is at most its square root. */
int64_t fft_split_middle(int64_t n);

struct fft_split {
    int64_t length;        /* n, or more: padded */
    int64_t rows, columns; /* whose product is `length`; rows is 1 for lines that stay whole */
};

/* n from 1 to FFT_SPLIT_LENGTH. `lines`: how many there are; of a few adjacent ones that cannot be
 * divided by eight the columns are what is done eight at a time, however short the lines are.
 * `strided`: the numbers of a line are not adjacent in memory. */
struct fft_split fft_split_of(int64_t n, int64_t lines, bool strided);

enum fft_split_real {
    FFT_SPLIT_LINES, /* their complex lines stay whole */
    FFT_SPLIT_HALF,  /* pairs of numbers, and a step after or before that */
    FFT_SPLIT_WHOLE  /* as complex numbers without imaginary part */
};

/* How `lines` real lines of n numbers are transformed. */
enum fft_split_real fft_split_real(int64_t n, int64_t lines);

/* A call: of the last `dims` dimensions, of StableHLO's fft_type `kind`. */
struct fft_split_call {
    int kind, dims;
    int64_t lengths[FFT_SPLIT_DIMS]; /* of the transforms */
    int64_t outer;                   /* the product of the other dimensions */
};

/* The scratch of a call, in complex numbers. */
int64_t fft_split_scratch(const struct fft_split_call *call);

#endif
