/* fft_tables.h: tables of roots of unity, computed on the thread pool. The bits depend only on the
 * arguments. Thread-safe. Errors: RESOURCE_EXHAUSTED. */
#ifndef GANTRY_DEVICES_HOST_FFT_FFT_TABLES_H
#define GANTRY_DEVICES_HOST_FFT_FFT_TABLES_H

#include <stdint.h>

#include "base/dtype.h"
#include "base/error.h"

/* out[k] = exp(-2 pi i k / n) for k < count <= n, as pairs of `part`: f32 or f64. */
struct error *fft_tables_roots(enum dtype part, int64_t n, int64_t count, void *out);
/* out[j] = exp(-pi i j^2 / n) for j < n, as pairs. */
struct error *fft_tables_chirp(int64_t n, double *out);

#endif
