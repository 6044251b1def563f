/* mlir_text_type.h: types from MLIR text. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_TYPE_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_TYPE_H

#include "compiler/frontend/text/mlir_parser.h"

/* True when the current token begins a type. */
bool mlir_text_type_begins(const struct mlir_parser *p);

/* Any type: tensor<4xf32>, i32, (a, b) -> c ... */
struct error *mlir_text_type_read(struct mlir_parser *p, const struct mlir_type **out);

/* A type that a value can have. */
struct error *mlir_text_type_value(struct mlir_parser *p, const struct type **out);

/* "a" or "(a, b)": the types after an arrow. Values' types. */
struct error *mlir_text_type_results(struct mlir_parser *p, int *count, const struct type ***out);

/* "a, b" until no comma follows. */
struct error *mlir_text_type_list(struct mlir_parser *p, int *count, const struct type ***out);

#endif
