/* clang-format off */
/* canonicalize_fft.h: decomposes Fourier transforms into transforms of complex rows whose lengths
 * one kernel supports (fft_tables.h), and arithmetic:
 *
 *   several dimensions    one dimension after the other, each transposed to the end
 *   real numbers          a complex transform of half the length: even elements are real parts, odd
 *                         ones imaginary
 *   long rows             a matrix: columns, a multiplication by roots of unity, rows
 *   large prime factors   a convolution with exp(-i pi j^2 / n) (Bluestein) of a smooth length
 *
 * Errors: INVALID_ARGUMENT when a padded size overflows. */
/* clang-format on */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_FFT_H

#include "compiler/ir/ir.h"

struct error *canonicalize_fft(struct module *module, struct op *op);

#endif
