/* mlir_text_type.h: reads types from MLIR text. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_TYPE_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_TYPE_H

#include "compiler/frontend/text/mlir_parser.h"

/* True when a type begins at the current token. */
bool mlir_text_type_begins(const struct mlir_parser *p);

/* Reads any type: tensor<4xf32>, i32, (a, b) -> c ... */
struct error *mlir_text_type_read(struct mlir_parser *p, const struct mlir_type **out);

/* Reads a type that a value can have. */
struct error *mlir_text_type_value(struct mlir_parser *p, const struct type **out);

/* Reads the types of values after an arrow: "a" or "(a, b)". */
struct error *mlir_text_type_results(struct mlir_parser *p, int *count, const struct type ***out);

/* Reads the types of values "a, b", until no comma follows. */
struct error *mlir_text_type_list(struct mlir_parser *p, int *count, const struct type ***out);

/* Reads "<4x?x", up to the element type: the sizes, SHAPE_DYNAMIC for '?'. */
struct error *mlir_text_type_dims(struct mlir_parser *p, int64_t dims[SHAPE_MAX_RANK],
                                  int64_t *count);

#endif
