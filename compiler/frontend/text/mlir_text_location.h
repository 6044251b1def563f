/* mlir_text_location.h: where an operation comes from, as MLIR text has it after the operation:
 * loc("f.py":3:5), loc("name"("f.py":3:5)), loc(callsite(... at ...)), loc(fused[...]), loc(#loc1).
 * The outermost name and the first position are kept. A location that cannot be
 * read is ignored, and an alias may be defined after its uses. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_LOCATION_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_LOCATION_H

#include "compiler/frontend/text/mlir_parser.h"

/* "loc(...)", when it is there, is ignored. */
struct error *mlir_text_location_skip(struct mlir_parser *p);

/* "loc(...)", when it is there: of the operations of `block` after `before` (NULL: of all). */
struct error *mlir_text_location_read(struct mlir_parser *p, struct block *block,
                                      struct op *before);

/* "#name = loc(...)" from the word `loc`. */
struct error *mlir_text_location_define(struct mlir_parser *p, struct string name);

/* Gives operations the locations that were read, once all aliases are known. */
void mlir_text_location_finish(struct mlir_parser *p);

#endif
