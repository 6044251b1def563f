/* mlir_sdy.h: what the Shardy dialect means: its operations, meshes, and shardings of values. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_H

#include "compiler/frontend/mlir/mlir_program.h"
#include "compiler/ir/sharding.h"

enum mlir_sdy_op {
    MLIR_SDY_UNKNOWN,
    MLIR_SDY_CONSTRAINT, /* the operand, annotated: sharding_constraint, reshard */
    MLIR_SDY_IDENTITY,   /* the operands: propagation_barrier, data_flow_edge */
    MLIR_SDY_MANUAL,     /* manual_computation: a body over local shapes */
    MLIR_SDY_NAMED,      /* named_computation: a body */
    MLIR_SDY_GROUP,      /* sharding_group: no results */
    MLIR_SDY_RETURN,     /* the end of a body */
    MLIR_SDY_MESH
};
enum mlir_sdy_op mlir_sdy_op(struct string name /*without "sdy."*/);

/* A mesh without a name; `ids` may be empty. `names` and `sizes` are borrowed for the arena's life.
 * INVALID_ARGUMENT for sizes that are not positive, too many axes or devices, and ids that are not
 * as many as the devices. */
struct error *mlir_sdy_mesh(struct arena *arena, size_t axis_count, const char *const *names,
                            const int64_t *sizes, struct dims ids, const struct mesh **out);

/* Adds a mesh to the module under a name. INVALID_ARGUMENT when `attr` (may be NULL) is no mesh or
 * the name is taken. */
struct error *mlir_sdy_define(struct mlir_program *program, struct string name,
                              const struct mlir_attr *attr);

/* Puts a sharding on a value's type, unless it has one or is no tensor. */
void mlir_sdy_annotate(struct arena *arena, struct value *value, const struct sharding *sharding);

/* Over manual axes of one device each the local shapes are the global ones, so that the body is
 * plain code. UNIMPLEMENTED for others. Any of the three may be NULL. */
struct error *mlir_sdy_check_manual(const struct mlir_attr *in_shardings,
                                    const struct mlir_attr *out_shardings,
                                    const struct mlir_attr *manual_axes);

#endif
