/* mlir_text_alias.h: aliases of attributes, types and locations, which MLIR text defines before and
 * after the module: "#name = attribute", "!name = type", "#loc1 = loc(...)". */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ALIAS_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ALIAS_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads all definitions that follow. INVALID_ARGUMENT for a name that is defined twice. */
struct error *mlir_text_alias_read(struct mlir_parser *p);

/* Reads "#name" or "!name" and returns the attribute or type. INVALID_ARGUMENT when it is
 * undefined, or when all uses of aliases together expand to too many attributes and types. */
struct error *mlir_text_alias_attr(struct mlir_parser *p, struct mlir_attr **out);
struct error *mlir_text_alias_type(struct mlir_parser *p, const struct mlir_type **out);

/* True when the current "#word" or "!word" is an alias rather than a dialect's attribute or
 * type. */
bool mlir_text_alias_is(const struct mlir_parser *p);

#endif
