/* mlir_literal.h: the data of dense constants, which is used in place if possible. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_LITERAL_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_LITERAL_H

#include "compiler/ir/ir.h"

/* Makes a literal of `type` from `size` bytes in the format of bytecode and hexadecimal text: a
 * splat, packed bits of i1, sub-byte elements in a byte each (sign-extended here), or the elements
 * as the IR stores them (copied only when misaligned). `data` is borrowed for the arena's lifetime.
 * INVALID_ARGUMENT when the size matches neither one element nor all. */
struct error *mlir_literal_make(struct arena *arena, const uint8_t *data, uint64_t size,
                                const struct type *type, const struct literal **out);

/* A literal from bytes in the IR's format: all elements, or one element if `splat`. Equal elements
 * become a splat, as in MLIR. */
const struct literal *mlir_literal_of(struct arena *arena, const struct type *type,
                                      const void *bytes /*borrowed for the arena's lifetime*/,
                                      bool splat);

#endif
