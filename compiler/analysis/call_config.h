/* call_config.h: reads custom calls: their names and the attributes of their configuration. */
#ifndef GANTRY_COMPILER_ANALYSIS_CALL_CONFIG_H
#define GANTRY_COMPILER_ANALYSIS_CALL_CONFIG_H

#include "compiler/ir/ir.h"

/* Whether an operation is a custom call of this name. */
bool call_config_is_called(const struct op *op, const char *name);
/* The integer `name` of the configuration; `otherwise` if it is absent. */
int64_t call_config_integer(const struct op *op, const char *name, int64_t otherwise);
/* The tensor `name` of the configuration; NULL if it is absent. */
const struct literal *call_config_literal(const struct op *op, const char *name);
/* The text `name` of mhlo.frontend_attributes; NULL if it is absent. */
const struct string *call_config_frontend(const struct op *op, const char *name);

#endif
