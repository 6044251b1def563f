/* fft_padding.h: the factors of padded lines (Bluestein's algorithm). With c[j] = exp(-i pi j^2 /
 * n), result k is c[k] times the sum of (x[j] c[j]) c*[k - j]: a convolution, by transforms of a
 * longer length. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_PADDING_H
#define GANTRY_DEVICES_HOST_FFT_FFT_PADDING_H

#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"

/* Transforms `length` complex numbers in place. */
typedef struct error *fft_padding_transform(int64_t length, double *numbers);

/* Makes c[j] for j < n, and the transform of c*[|j|] for `length` >= 2 n - 1 numbers; pairs of
 * `part` (f32 or f64). Both are owned, by alloc_free; on errors they may be NULL or not. Errors:
 * RESOURCE_EXHAUSTED, and those of `transform`. */
struct error *fft_padding_make(enum dtype part, int64_t n, int64_t length,
                               fft_padding_transform *transform, void **chirp, void **filter);

#endif
