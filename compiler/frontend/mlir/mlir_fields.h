/* mlir_fields.h: converts generic attributes to the fields of the IR's operations and functions. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FIELDS_H

#include "compiler/frontend/mlir/mlir_program.h"

/* Sets a field of *out from an attribute. Errors state what the attribute is and what is expected;
 * the caller adds the operation. Ignores a backend_config that is a dictionary, which is for
 * mlir_fields_discardable(). */
struct error *mlir_fields_set(struct mlir_program *program, const struct attr_field *field,
                              struct mlir_attr *attr, union attrs *out);

/* The discardable attributes of an operation: all of `attributes` (may be NULL) except the
 * `known_count` inherent ones and those of Shardy, and `backend_config` (may be NULL) with the name
 * "mhlo.backend_config". *out is unchanged when there are none. */
struct error *mlir_fields_discardable(struct mlir_program *program, struct mlir_attr *attributes,
                                      int known_count, const char *const *known,
                                      struct mlir_attr *backend_config, const struct dict **out);

/* Adds the shardings among an operation's attributes to the types of its results, and appends a
 * sharding_group for each result whose mhlo.sharding has a group. INVALID_ARGUMENT for a malformed
 * one. */
struct error *mlir_fields_annotate(struct mlir_program *program, const struct mlir_attr *attributes,
                                   struct op *op);

/* Reads the attributes of a function's argument or result (a DICT or NULL): layout, memory kind and
 * sharding into *type, aliasing and donation into *out. */
struct error *mlir_fields_argument(struct mlir_program *program, const struct mlir_attr *attributes,
                                   const struct type **type, struct argument_info *out);

#endif
