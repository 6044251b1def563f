/* mlir_ops.h: maps operations of MLIR to operations of the IR and their attributes. StableHLO's
 * operations have the IR's names and fields (compiler/ir/ops.def, attrs.def); vhlo_ops.def lists
 * the versions of VHLO that differ. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_OPS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_OPS_H

#include "compiler/ir/ir.h"

#define MLIR_OPS_MAX_ATTRIBUTES 20

struct mlir_op_schema { /* of a version of a VHLO operation */
    enum op_code code;
    int count;
    const char *names[MLIR_OPS_MAX_ATTRIBUTES];               /* alphabetical */
    const struct attr_field *fields[MLIR_OPS_MAX_ATTRIBUTES]; /* NULL: ignored */
};

/* The schema of "add_v1", in the arena; NULL when there is no such operation. */
const struct mlir_op_schema *mlir_ops_vhlo(struct arena *arena, struct string name);

/* The operation of a name in MLIR text: "stablehlo.add", "func.call", "call", "chlo.erf",
 * "gantry.copy". OP_INVALID_CODE when the IR has no such operation. */
enum op_code mlir_ops_code(struct string name);

#endif
