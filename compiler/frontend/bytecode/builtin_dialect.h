/* builtin_dialect.h: reads the builtin dialect's attributes, types and operations from bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_BUILTIN_DIALECT_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_BUILTIN_DIALECT_H

#include "compiler/frontend/bytecode/mlir_convert.h"
#include "compiler/frontend/bytecode/mlir_entry.h"

/* See struct mlir_dialect. */
struct error *builtin_dialect_attr(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_attr *out);
struct error *builtin_dialect_type(struct mlir_file *file, struct bytes *in, uint64_t code,
                                   struct mlir_type *out);
struct error *builtin_dialect_op(struct mlir_convert *c, struct mlir_op *op, struct block *block);

#endif
