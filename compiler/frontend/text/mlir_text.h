/* mlir_text.h: reads StableHLO from MLIR text, in generic form, in the pretty form that MLIR
 * prints, or in a mixture; this includes the output of ir_print(). Errors show line, column and a
 * caret. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_H

#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/ir/ir.h"

/* Reads an unverified module. `text` is borrowed for the lifetime of `arena`. Operations without a
 * location get their position in the text. Errors: INVALID_ARGUMENT; UNIMPLEMENTED for unsupported
 * operations, types and dialects. */
struct error *mlir_text_read(struct arena *arena, const void *text, size_t size,
                             struct module **out);

/* Reads an attribute dictionary: "{n = 3 : i64, s = \"x\"}". Call inside arena_run(). */
struct error *mlir_text_read_dict(struct arena *arena, const char *text, size_t size,
                                  const struct dict **out);

/* Reads one attribute, which may refer to the module's meshes, into its arena. Call inside
 * arena_run(). */
struct error *mlir_text_read_attr(struct module *module, const char *text, size_t size,
                                  struct mlir_attr **out);

#endif
