/* mlir_sdy.h: the Shardy dialect: its operations, meshes, and shardings of values. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_SDY_H

#include "compiler/frontend/mlir/mlir_program.h"
#include "compiler/ir/sharding_parse.h"

enum mlir_sdy_op {
    MLIR_SDY_UNKNOWN,
    MLIR_SDY_CONSTRAINT, /* sharding_constraint, reshard */
    MLIR_SDY_IDENTITY,   /* returns the operands: propagation_barrier, data_flow_edge */
    MLIR_SDY_MANUAL,     /* manual_computation: a body over local shapes */
    MLIR_SDY_NAMED,      /* named_computation: a body */
    MLIR_SDY_GROUP,      /* sharding_group: no results */
    MLIR_SDY_RETURN,     /* the terminator of a body */
    MLIR_SDY_MESH
};
enum mlir_sdy_op mlir_sdy_op(struct string name /*without "sdy."*/);

/* Makes a mesh without a name; `ids` may be empty. `names` and `sizes` are borrowed for the arena's
 * lifetime. INVALID_ARGUMENT for sizes that are not positive, too many axes or devices, and a
 * number of ids that differs from the number of devices. */
struct error *mlir_sdy_mesh(struct arena *arena, size_t axis_count, const char *const *names,
                            const int64_t *sizes, struct dims ids, const struct mesh **out);

/* A sharding whose axes are named: the fields of struct sharding. */
struct mlir_sharding {
    const struct mesh *mesh;
    size_t rank;
    const struct mlir_dim *dims;
    struct mlir_axes replicated, unreduced, manual;
};

/* Looks up the axes of `from` in its mesh. A mesh without axes and with one device id makes a
 * maximal sharding. INVALID_ARGUMENT for unknown axes and whatever sharding_check() rejects. Linear
 * in the number of axes. */
struct error *mlir_sdy_sharding(struct arena *arena, const struct mlir_sharding *from,
                                const struct sharding **out);

/* Looks up axes in a mesh; a sub-axis that is all of its axis becomes the axis. INVALID_ARGUMENT
 * for unknown names. */
struct error *mlir_sdy_axes(struct arena *arena, const struct mesh *mesh, struct mlir_axes from,
                            struct axis_refs *out);

/* Adds a named mesh to the module. INVALID_ARGUMENT when `attr` (may be NULL) is not a mesh or the
 * name is already defined. */
struct error *mlir_sdy_define(struct mlir_program *program, struct string name,
                              const struct mlir_attr *attr);

/* The sharding of an mhlo.sharding attribute for `count` values of these types, and its groups; see
 * sharding_parse(). INVALID_ARGUMENT also when `attr` is no string. */
struct error *mlir_sdy_parse(const struct mlir_program *program, const struct mlir_attr *attr,
                             int count, const struct type *const *types, struct sharding_note *out);

/* Checks a list (ARRAY) of shardings, the attribute `name` of an operation: one for each result, or
 * one of a single device for all of them. An operation without results may have one, which says
 * where it runs: JAX gives callbacks that of a mesh without axes. INVALID_ARGUMENT. */
struct error *mlir_sdy_check_results(const char *name, const struct mlir_attr *list,
                                     const struct op *op);

/* Adds a sharding to a value's type, unless it has one or is not a tensor. Errors: those of
 * sharding_attach(). */
struct error *mlir_sdy_annotate(struct arena *arena, struct value *value,
                                const struct sharding *sharding);

/* ---- operations ------------------------------------------------------------------------------ */

struct mlir_sdy_place { /* where operations are added */
    struct mlir_program *program;
    struct block *block;
    struct op *before; /* of the block; NULL: at its end */
    const struct location *location;
};

/* Adds a sharding_constraint and returns its result; `value` itself when it is no tensor. */
struct value *mlir_sdy_constrain(const struct mlir_sdy_place *place, struct value *value,
                                 const struct sharding *sharding);

/* Adds a sharding_group, which makes `value` a member. */
void mlir_sdy_join(const struct mlir_sdy_place *place, struct value *value, int64_t group);

/* A computation that is replaced by its body: manual_computation, or named_computation. Each
 * attribute may be NULL; `axes` is for a manual one, which has both lists. */
struct mlir_sdy_region {
    bool is_manual;
    const struct mlir_attr *in_shardings, *out_shardings, *axes;
};

/* The value that the body's argument i of `type` stands for: operand i with its constraint and, at
 * a manual computation, full_to_shard. The reverse for the body's value i and result i. Values that
 * are no tensors pass. INVALID_ARGUMENT for a list that has no sharding i and for a manual axis
 * that the mesh does not have. */
struct error *mlir_sdy_enter(const struct mlir_sdy_place *place,
                             const struct mlir_sdy_region *region, size_t i, struct value *operand,
                             const struct type *type, struct value **out);
struct error *mlir_sdy_leave(const struct mlir_sdy_place *place,
                             const struct mlir_sdy_region *region, size_t i, struct value *value,
                             const struct type *type, struct value **out);

#endif
