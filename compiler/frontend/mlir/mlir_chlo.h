/* mlir_chlo.h: expands operations of the CHLO dialect, which JAX uses where StableHLO has no
 * operation: the functions of functions.h, top_k, constant_like, and elementwise operations that
 * broadcast their operands. chlo.erf is an operation of the IR. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_CHLO_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_CHLO_H

#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/ir/build.h"

struct mlir_chlo {      /* one operation */
    struct string name; /* "chlo.top_k" */
    size_t operand_count;
    struct value *const *operands;
    size_t result_count; /* as declared */
    const struct type *const *result_types;
    const struct mlir_attr *attributes; /* a DICT, or NULL */
};

/* True for a supported operation of the dialect. */
bool mlir_chlo_is(struct string name);

/* The operation to apply to the broadcast operands: "add" for "chlo.broadcast_add"; NULL for
 * operations that do not broadcast. Static. */
const char *mlir_chlo_broadcast(struct string name);

/* Broadcasts the operands of such an operation to one shape: out[operand_count]. */
struct error *mlir_chlo_broadcast_operands(struct builder *b, const struct mlir_chlo *op,
                                           struct value **out);

/* Expands any other operation and returns its results, at most `capacity` >= 2 of them. */
struct error *mlir_chlo_apply(struct builder *b, const struct mlir_chlo *op, size_t capacity,
                              struct value **results, int *count);

/* Checks that operands and results are tensors of static shape and not quantized. UNIMPLEMENTED or
 * INVALID_ARGUMENT. */
struct error *mlir_chlo_check_types(struct arena *arena, const struct mlir_chlo *op);

#endif
