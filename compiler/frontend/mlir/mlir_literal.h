/* mlir_literal.h: the data of dense constants. Large ones stay where they are in the file. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_LITERAL_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_LITERAL_H

#include "compiler/ir/ir.h"

/* A tensor of this type from `size` bytes, as bytecode and hexadecimal text hold it: splat, packed
 * bits of i1, sub-byte elements sign-extended, everything else as it is (copied only when
 * misaligned). `data` is borrowed for the arena's life. INVALID_ARGUMENT when the size fits neither
 * one element nor all. */
struct error *mlir_literal_make(struct arena *arena, const uint8_t *data, uint64_t size,
                                const struct type *type, const struct literal **out);

/* A literal of bytes as the IR stores them: all elements, or (`splat`) the one for all.
 * Elements that are all the same become a splat, however they were written, as in MLIR. */
const struct literal *mlir_literal_of(struct arena *arena, const struct type *type,
                                      const void *bytes /*borrowed for the arena's life*/,
                                      bool splat);

#endif
