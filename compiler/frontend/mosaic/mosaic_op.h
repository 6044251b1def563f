/* mosaic_op.h: what reading a kernel's operations from bytecode (mosaic_bytecode.h) and from text
 * (mosaic_text.h) have in common. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_OP_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_OP_H

#include "base/vec.h"
#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/kernel_ir/kernel_ir.h"

struct mosaic_function {
    struct kernel_function function; /* its name is not set */
    struct mlir_attr *dict;          /* its attributes; NULL: none */
};

/* A kernel's module while it is read; everything is in the arena. */
struct mosaic_module {
    struct arena *arena;
    int version; /* of stable_mosaic */
    VEC(struct mosaic_function *) functions;
    int value_count;        /* of the function that is being read */
    bool has_communication; /* of the operations so far */
};

/* Sets the version from the attributes of the module. UNIMPLEMENTED for newer ones than
 * MOSAIC_NEWEST. */
struct error *mosaic_op_version(struct mosaic_module *module, const struct mlir_attr *dict);

/* The code of "arith.addf"; KERNEL_CODE_COUNT if it is unknown. `dialect` must be stable_mosaic. */
enum kernel_code mosaic_op_code(struct string dialect, struct string name);

/* Checks the numbers of an operation's parts against the table; beyond INT16_MAX they are errors,
 * too. */
struct error *mosaic_op_counts(enum kernel_code code, size_t operands, size_t results,
                               size_t regions);

/* Completes an operation whose code, operands, results and regions are set: attributes, segments,
 * upgrades. The errors of both functions lack the operation. */
struct error *mosaic_op_complete(struct mosaic_module *module, const struct mlir_attr *dict,
                                 struct kernel_op *op);

#endif
