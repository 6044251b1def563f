/* mlir_text_alias.h: names that MLIR text gives to attributes, types and locations before and
 * after the module: "#name = attribute", "!name = type", "#loc1 = loc(...)". */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ALIAS_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_ALIAS_H

#include "compiler/frontend/text/mlir_parser.h"

/* All definitions that follow. INVALID_ARGUMENT for a name that is defined twice. */
struct error *mlir_text_alias_read(struct mlir_parser *p);

/* Takes "#name" or "!name" and gives what it names. INVALID_ARGUMENT when it is not defined,
 * or when aliases of aliases would make the program enormous. */
struct error *mlir_text_alias_attr(struct mlir_parser *p, struct mlir_attr **out);
struct error *mlir_text_alias_type(struct mlir_parser *p, const struct mlir_type **out);

/* Is the "#word" or "!word" the name of an alias (not of a dialect's attribute or type)? */
bool mlir_text_alias_is(const struct mlir_parser *p);

#endif
