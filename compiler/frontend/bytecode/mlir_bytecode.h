/* mlir_bytecode.h: reads the MLIR bytecode container (versions 0 to 6) that holds the dialects
 * builtin, vhlo and sdy. It knows sections, strings, attribute and type entries, operations,
 * regions and value numbers; what an operation means is vhlo.h's. Every count is checked against
 * the bytes that are left before anything is allocated, nesting is bounded, cycles are found. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_BYTECODE_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_BYTECODE_H

#include "compiler/ir/ir.h"

/* True when the bytes begin with the container's magic 'ML\xefR'. */
bool mlir_bytecode_is(const void *bytes, size_t size);

/* Reads a StableHLO portable artifact into a module (not yet verified). `bytes` are borrowed for
 * the life of `arena` (large constants point into them). Errors: INVALID_ARGUMENT with the byte
 * offset or the operation and its location; UNIMPLEMENTED for versions beyond VHLO 1.17.0 or
 * bytecode 6. */
struct error *mlir_bytecode_read(struct arena *arena, const void *bytes, size_t size,
                                 struct module **out);

#endif
