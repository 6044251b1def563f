/* mlir_convert_op.h: what the conversion of an operation to the IR takes in every dialect: its
 * operands, types, regions and discardable attributes. The dialects set the fields. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_CONVERT_OP_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MLIR_CONVERT_OP_H

#include "compiler/frontend/bytecode/mlir_convert.h"

/* Lists the values of the operands and the types of the results, in the arena. INVALID_ARGUMENT for
 * operands that are used before their definition; UNIMPLEMENTED for types that are unsupported. */
struct error *mlir_convert_op_values(struct mlir_convert *c, const struct mlir_op *from,
                                     struct value ***operands, const struct type ***types);

/* Appends an operation with the operands, result types and location of `from` and as many regions,
 * which are NULL (a composite, which calls its decomposition, has none), and sets the values of the
 * results of `from`. Errors: those of mlir_convert_op_values(). */
struct error *mlir_convert_op(struct mlir_convert *c, struct mlir_op *from, enum op_code code,
                              struct block *block, struct op **out);

/* Converts the regions of `from` into those of op. INVALID_ARGUMENT for one without a block. */
struct error *mlir_convert_op_regions(struct mlir_convert *c, const struct mlir_op *from,
                                      struct op *op);

/* Sets op->discardable, and the shardings of the types of its results (mlir_fields.h). `known` are
 * the names of the operation's inherent attributes; `backend_config`: a DICT, or NULL. */
struct error *mlir_convert_op_attributes(struct mlir_convert *c, const struct mlir_op *from,
                                         int known_count, const char *const *known,
                                         struct mlir_attr *backend_config, struct op *op);

#endif
