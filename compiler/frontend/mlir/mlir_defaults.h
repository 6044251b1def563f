/* mlir_defaults.h: the values of attributes of StableHLO that a program may omit. VHLO has no
 * defaults: its attributes are always present. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_DEFAULTS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_DEFAULTS_H

#include "compiler/frontend/mlir/mlir_attr.h"

/* Sets the fields of op->attrs whose default is not zero and that were omitted; `given`, a DICT,
 * has the attributes that were not. The other fields are set; lists are in the arena. Source: the
 * defaults of StableHLO's specification. */
void mlir_defaults_set(struct arena *arena, const struct mlir_attr *given, struct op *op);

#endif
