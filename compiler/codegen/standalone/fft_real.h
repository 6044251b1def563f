/* fft_real.h: the last step of a transform of real rows. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_REAL_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_REAL_H

#include "compiler/codegen/standalone/fft_row.h"

/* Computes the transform of a real row of 2n numbers from the transform of its n pairs. */
struct error *fft_real(struct fft *f, int lanes);

#endif
