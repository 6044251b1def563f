/* model_fft.h: Fourier transforms on a modeled accelerator, which makes them of products: a
 * transform of n numbers is one product with a table of n x n numbers up to 128, else a product for
 * each factor, of which all but one are 128, with a multiplication of all numbers between two. A
 * product of complex numbers is three of real ones, at the passes of HIGHEST. Pure functions. */
#ifndef GANTRY_COMPILER_MODEL_UNITS_MODEL_FFT_H
#define GANTRY_COMPILER_MODEL_UNITS_MODEL_FFT_H

#include "compiler/accelerator.h"
#include "compiler/ir/ir.h"

struct model_fft {
    double flops;     /* of the products, each pass once */
    double seconds;   /* of the matrix units */
    double hbm_bytes; /* that kernels read and write between the operand and the result */
};

/* Of an OP_fft. */
struct model_fft model_fft(const struct accelerator *accelerator, const struct op *op);

#endif
