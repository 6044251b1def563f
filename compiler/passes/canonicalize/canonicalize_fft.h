/* clang-format off */
/* canonicalize_fft.h: a rule of canonicalize: transforms become transforms of complex rows, of
 * lengths that one kernel computes (fft_tables.h), and arithmetic around them:
 *
 *   several dimensions    one after the other, each transposed to the end
 *   real numbers          a complex transform of half the length, evens real, odds imaginary
 *   long rows             as a matrix: columns, a multiplication by roots of unity, rows
 *   large prime factors   a convolution with exp(-i pi j^2 / n) (Bluestein) of length 2^k
 *
 * Errors: INVALID_ARGUMENT when a padded size overflows. */
/* clang-format on */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H

#include "compiler/ir/ir.h"

struct error *canonicalize_fft(struct module *module, struct op *op);

#endif
