/* mlir_bytecode.h: reads MLIR bytecode (versions 0 to 6) with the dialects builtin, func,
 * stablehlo, chlo, sdy and vhlo. Every count is checked against the remaining bytes before it sizes
 * an allocation, nesting is bounded, and cycles are errors. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_BYTECODE_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_BYTECODE_H

#include "compiler/ir/ir.h"

/* True when the bytes begin with the magic number 'ML\xefR'. */
bool mlir_bytecode_is(const void *bytes, size_t size);

/* Reads a program of StableHLO, a portable artifact (VHLO) or not, into an unverified module.
 * `bytes` are borrowed for the lifetime of `arena` (large constants point into them). Errors:
 * INVALID_ARGUMENT with the byte offset or the operation and its location; UNIMPLEMENTED for
 * versions above VHLO 1.22.0 or bytecode 6. */
struct error *mlir_bytecode_read(struct arena *arena, const void *bytes, size_t size,
                                 struct module **out);

#endif
