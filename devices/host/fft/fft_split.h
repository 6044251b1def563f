/* fft_split.h: how Fourier transforms (fft_call.h) divide long lines, and the scratch that they
 * need: the compiler plans that memory, the device uses it.
 *
 * A line of n = rows * columns complex numbers is transformed as a matrix: first its columns, then,
 * multiplied by twiddle factors, its rows. Lengths with large prime factors are padded, for a
 * convolution (Bluestein's algorithm). A real line of even length is transformed as the complex
 * line of its pairs. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_SPLIT_H
#define GANTRY_DEVICES_HOST_FFT_FFT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/program/fft_spec.h"

enum {
    FFT_SPLIT_COLUMNS = 16, /* of padded lines that are not contiguous, done together */
    FFT_SPLIT_PRIME = 127,  /* the largest radix of a stage */
    FFT_SPLIT_FEW = 3       /* lines that are not worth eight */
};

/* Whether lines of n numbers are transformed in stages, one for each prime factor, not padded: no
 * factor is above FFT_SPLIT_PRIME, and that is less work. A transform of up to eight lines together
 * costs the same; a single line costs a quarter of that, if eight divides its length (padded lines
 * always). */
bool fft_split_is_direct(int64_t n, int64_t lines);
/* The shortest product of small primes to which lines of n numbers are padded: at least 2 n - 1. */
int64_t fft_split_padded(int64_t n);

/* The largest divisor of n > 0 that is at most its square root. */
int64_t fft_split_middle(int64_t n);

struct fft_split {
    int64_t length;        /* n, or more: padded */
    int64_t rows, columns; /* whose product is `length`; rows is 1 for lines that stay whole */
};

/* n from 1 to FFT_SPEC_NUMBERS. `lines`: how many there are; if a few adjacent lines are not a
 * multiple of eight, eight columns are transformed at a time, even for short lines. `strided`: the
 * numbers of a line are not adjacent in memory. */
struct fft_split fft_split_of(int64_t n, int64_t lines, bool strided);

enum fft_split_real {
    FFT_SPLIT_LINES, /* their complex lines stay whole */
    FFT_SPLIT_HALF,  /* pairs of numbers, and a step after or before that */
    FFT_SPLIT_WHOLE  /* as complex numbers without imaginary part */
};

/* How `lines` real lines of n numbers are transformed. */
enum fft_split_real fft_split_real(int64_t n, int64_t lines);

/* The scratch of a transform, in complex numbers: target.fft_scratch. */
int64_t fft_split_scratch(const struct fft_spec *spec);

#endif
