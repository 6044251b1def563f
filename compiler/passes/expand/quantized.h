/* quantized.h: lowers quantized types to their storage types. Runs after the frontend and before
 * the verifier; later passes see no quantized types. Allocates in the module's arena. */
#ifndef GANTRY_COMPILER_PASSES_EXPAND_QUANTIZED_H
#define GANTRY_COMPILER_PASSES_EXPAND_QUANTIZED_H

#include "compiler/ir/ir.h"

/* Replaces every quantized type by its storage type: for callers of the program, a parameter of
 * type tensor<4x!quant.uniform<i8:f32, ...>> is a tensor<4xi8>. The semantics are those of the
 * StableHLO specification. uniform_quantize and uniform_dequantize become arithmetic. Data movement
 * whose quantized types all have the same parameters, control flow, calls, and reducers operate on
 * stored values. All other operations dequantize their operands and quantize their results. Returns
 * INVALID_ARGUMENT, with the operation and its location, for invalid quantization parameters. */
struct error *quantized_run(struct module *module);

#endif
