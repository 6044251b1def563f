/* mlir_text_location.h: reads the source locations that follow operations in MLIR text:
 * loc("f.py":3:5), loc("name"("f.py":3:5)), loc(callsite(... at ...)), loc(fused[...]), loc(#loc1).
 * Only the outermost name and the first position are used. Malformed locations are ignored; an
 * alias may be defined after its uses. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_LOCATION_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_LOCATION_H

#include "compiler/frontend/text/mlir_parser.h"

/* Skips "loc(...)" if it is present. */
struct error *mlir_text_location_skip(struct mlir_parser *p);

/* Reads "loc(...)" if it is present: *out will be set when all aliases have been read, and must
 * stay where it is until then. */
struct error *mlir_text_location_of(struct mlir_parser *p, const struct location **out);

/* Reads "loc(...)" if it is present: the location of the operations of `block` after `before`
 * (NULL: all operations of the block). */
struct error *mlir_text_location_read(struct mlir_parser *p, struct block *block,
                                      struct op *before);

/* Reads "loc(...)" as the definition of the alias `name`. */
struct error *mlir_text_location_define(struct mlir_parser *p, struct string name);

/* Sets all locations after all aliases have been read. */
void mlir_text_location_finish(struct mlir_parser *p);

#endif
