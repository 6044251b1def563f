/* mlir_ops.h: which operation of the IR an operation of MLIR is, and which attributes it has. An
 * operation of StableHLO has the IR's name and fields (compiler/ir/ops.def, attrs.def);
 * vhlo_ops.def lists where a version of VHLO differs. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_OPS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_OPS_H

#include "compiler/ir/ir.h"

#define MLIR_OPS_MAX_ATTRIBUTES 20

struct mlir_form { /* of an operation of VHLO */
    enum op_code code;
    int count;
    const char *names[MLIR_OPS_MAX_ATTRIBUTES];               /* alphabetical */
    const struct attr_field *fields[MLIR_OPS_MAX_ATTRIBUTES]; /* NULL: ignored */
};

/* The form of "add_v1", made in the arena; NULL when there is no such operation. */
const struct mlir_form *mlir_ops_vhlo(struct arena *arena, struct string name);

/* "stablehlo.add", "func.call", "call", "chlo.erf", "gantry.copy" as text has them;
 * OP_INVALID_CODE when it is none that the IR has. */
enum op_code mlir_ops_code(struct string name);

#endif
