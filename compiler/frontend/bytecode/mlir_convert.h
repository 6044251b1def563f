/* mlir_convert.h: converts the generic operations of a bytecode file to the IR: the module, its
 * functions and their regions. The dialects (struct mlir_dialect) convert single operations, using
 * these functions for operands and regions. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_CONVERT_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_CONVERT_H

#include "compiler/frontend/bytecode/mlir_op.h"
#include "compiler/frontend/mlir/mlir_program.h"

struct mlir_convert { /* one conversion */
    struct mlir_file *file;
    struct mlir_program program;
};

/* Converts builtin.module into the unverified module *out. Errors name the operation and its
 * location. */
struct error *mlir_convert_module(struct mlir_file *file, const struct mlir_op *module,
                                  struct module **out);

/* Converts the operations of a region and appends them to `block`. The caller has set the values of
 * the region's arguments. */
struct error *mlir_convert_region(struct mlir_convert *c, const struct mlir_region *region,
                                  struct block *block);

/* The IR's value of an operand; INVALID_ARGUMENT when it is used before its definition. */
struct error *mlir_convert_operand(struct mlir_convert *c, const struct mlir_op *op, size_t i,
                                   struct value **out);

#endif
