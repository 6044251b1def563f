/* tensor_spec.h: array literals for the command line.
 *
 *     f32=3                     a scalar
 *     4x8xf32=0.5               one value everywhere
 *     4xf32=1,2,3,4             all values, row-major
 *     4x8xbf16=random:7         random, the same for the same seed: floats in [-1, 1), integers in
 *                               [-8, 8) or [0, 16)
 *     4x8xf32=iota              0, 1, 2, ...
 *     4x8xf32                   zeros
 *     @file.npy                 a NumPy file
 *     4xf8e5m2=@file.npy        the same, checked against that type and shape; gives the type of
 *                               raw bytes
 *
 * Types are XLA's names (pred, s32, u8, bf16, c64, f8e4m3fn) or MLIR's (i1, i32, ui8). Complex
 * values: 1.5-2j. */
#ifndef GANTRY_TOOLS_TENSOR_SPEC_H
#define GANTRY_TOOLS_TENSOR_SPEC_H

#include "tools/tensor.h"

/* Errors name the spec and the problem: INVALID_ARGUMENT, or OUT_OF_RANGE for a value that its type
 * cannot represent. */
struct error *tensor_spec_read(const char *spec, struct tensor *out /*owned*/);

#endif
