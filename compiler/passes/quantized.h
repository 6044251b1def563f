/* quantized.h: quantized types become what they are stored as. Runs after a frontend and
 * before the verifier: later code has no quantized types. Allocates in the module's arena. */
#ifndef GANTRY_COMPILER_PASSES_QUANTIZED_H
#define GANTRY_COMPILER_PASSES_QUANTIZED_H

#include "compiler/ir/ir.h"

/* Every value of a quantized type gets the storage type: a parameter of
 * tensor<4x!quant.uniform<i8:f32, ...>> is one of tensor<4xi8> to callers of the program.
 * Operations follow StableHLO's specification. uniform_quantize and uniform_dequantize become
 * arithmetic. What moves elements, control flow and calls work on stored elements, when all their
 * quantized types have the same parameters; so do reducers and the operations of their regions.
 * Everything else computes on dequantized operands and quantizes its results. INVALID_ARGUMENT
 * (operation and location) when a type's parameters do not fit its shape. */
struct error *quantized_run(struct module *module);

#endif
