/* mlir_chlo.h: what the CHLO dialect means, which JAX writes where StableHLO has no operation of
 * its own: the functions of functions.h, top_k, constant_like, and elementwise operations that
 * broadcast their operands first. chlo.erf is one of the IR's operations. */
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

/* Is it "chlo." and a name that is supported? */
bool mlir_chlo_is(struct string name);

/* "chlo.broadcast_add": what is done once the operands have one shape, "add"; NULL for others. */
const char *mlir_chlo_broadcast(struct string name);

/* The operands of such an operation, broadcast to one shape: out[operand_count]. */
struct error *mlir_chlo_broadcast_operands(struct builder *b, const struct mlir_chlo *op,
                                           struct value **out);

/* Every other operation: its results, of which there are at most `capacity` >= 2. */
struct error *mlir_chlo_apply(struct builder *b, const struct mlir_chlo *op, size_t capacity,
                              struct value **results, int *count);

/* Operands and results must be tensors whose sizes are known, and not quantized, since every
 * function is built for its sizes. UNIMPLEMENTED or INVALID_ARGUMENT. */
struct error *mlir_chlo_check_types(struct arena *arena, const struct mlir_chlo *op);

#endif
