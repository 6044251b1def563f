/* mlir_text_sdy_rule.h: reads sharding rules of the Shardy dialect from MLIR text. */
#ifndef GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_RULE_H
#define GANTRY_COMPILER_FRONTEND_TEXT_MLIR_TEXT_SDY_RULE_H

#include "compiler/frontend/text/mlir_parser.h"

/* Reads "<([i, j])->([ij]) {i=2, j=4} reduction={j}, custom>" of #sdy.op_sharding_rule. */
struct error *mlir_text_sdy_rule(struct mlir_parser *p, struct mlir_attr **out);

#endif
