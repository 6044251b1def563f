/* canonicalize_fft.h: a rule of canonicalize: every transform becomes ones of complex rows, of
 * lengths that a kernel does in one piece (fft_tables.h), and arithmetic around them:
 *
 *   several dimensions    one after the other, each brought to the end
 *   real numbers          a complex transform of half the length, evens as real and odds as
 *   imaginary parts long rows             as a matrix: columns, a multiplication by roots of unity,
 *   rows large prime factors   a convolution with exp(-i pi j^2 / n) (Bluestein), by transforms of
 *   a power of two */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H

#include "compiler/ir/ir.h"

struct error *canonicalize_fft(struct module *module, struct op *op);

#endif
