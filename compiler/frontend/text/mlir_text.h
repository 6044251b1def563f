/* mlir_text.h: reads StableHLO as MLIR text: the generic form, the short forms that MLIR prints,
 * and the mixtures that clients write; also what ir_print() writes. Errors show line, column and
 * a caret. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_H

#include "compiler/ir/ir.h"

/* Reads a module (not yet verified). `text` is borrowed for the life of `arena`. Operations
 * without a location of their own get the text's lines. Errors: INVALID_ARGUMENT; UNIMPLEMENTED
 * for operations, types and dialects that are unsupported. */
struct error *mlir_text_read(struct arena *arena, const void *text, size_t size,
                             struct module **out);

/* Reads an attribute dictionary alone: "{n = 3 : i64, s = \"x\"}". */
struct error *mlir_text_read_dict(struct arena *arena, const char *text, size_t size,
                                  const struct dict **out);

#endif
