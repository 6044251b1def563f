/* fft_radix.h: transforms of a few numbers in registers, the inner step of a long transform. */
#ifndef GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_RADIX_H
#define GANTRY_COMPILER_CODEGEN_STANDALONE_FFT_RADIX_H

#include "compiler/codegen/element/element.h"

enum { FFT_MAX_RADIX = 13 }; /* powers of two up to 8, and odd primes */

/* x[k] = sum over j of x[j] exp(-+ 2 pi i j k / radix), with + for `inverse`. The elements are
 * complex and all have the same number of lanes. */
void fft_radix(struct emitter *e, int radix, bool inverse, struct element *x);

struct element fft_multiply(struct emitter *e, const struct element *a, const struct element *b);

#endif
