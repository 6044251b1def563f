/* fft_spec.h: a Fourier transform in the terms of the device's function for it, the custom call
 * gantry_fft (devices/host/fft/fft_call.h). Shared by the compiler and the devices. */
#ifndef GANTRY_COMPILER_PROGRAM_FFT_SPEC_H
#define GANTRY_COMPILER_PROGRAM_FFT_SPEC_H

#include <stdint.h>

enum { FFT_SPEC_DIMS = 3 };                 /* the most that one call transforms */
#define FFT_SPEC_NUMBERS (INT64_C(1) << 34) /* the most numbers of an operand or result */

/* Transforms the last `dims` dimensions. */
struct fft_spec {
    int kind, dims;                 /* kind: StableHLO's fft_type */
    int64_t lengths[FFT_SPEC_DIMS]; /* of the transforms; each >= 1 */
    int64_t outer;                  /* the product of the other dimensions; >= 1 */
};

#endif
