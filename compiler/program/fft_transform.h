/* fft_transform.h: a Fourier transform of doubles on the host, for tables that are themselves
 * transforms (fft_tables.h). Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_FFT_TRANSFORM_H
#define GANTRY_COMPILER_PROGRAM_FFT_TRANSFORM_H

#include <stdint.h>

#include "base/error.h"

/* The shortest supported length that is at least `least` (1 to 2^42): q * 4^b with q in 1, 2, 3, 4,
 * 5, 6, 8, 9, 10, 12, 15. */
int64_t fft_transform_length(int64_t min_square);
/* Transforms `length` complex numbers (pairs) in place, by exp(-2 pi i j k / length), in parallel
 * on the thread pool. Result k is at index fft_transform_index(k, length). Errors:
 * RESOURCE_EXHAUSTED; INVALID_ARGUMENT for unsupported lengths. */
struct error *fft_transform(double *numbers, int64_t length);
int64_t fft_transform_index(int64_t k, int64_t length);

#endif
