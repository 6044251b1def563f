/* mlir_fields.h: from generic attributes to the fields of the IR's operations and functions. */
#ifndef GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_MLIR_MLIR_FIELDS_H

#include "compiler/frontend/mlir/mlir_program.h"

/* Sets a field of *out from an attribute. Errors say what the attribute is and what it should
 * be; the caller adds the operation. backend_config as a dictionary is left to
 * mlir_fields_extra(). */
struct error *mlir_fields_set(struct mlir_program *program, const struct attr_field *field,
                              struct mlir_attr *attr, union attrs *out);

/* The discardable attributes that the IR keeps: all of `attributes` (may be NULL) but the
 * `known_count` names of inherent ones, and `backend_config` (may be NULL) under
 * "mhlo.backend_config". NULL when none. */
struct error *mlir_fields_extra(struct mlir_program *program, struct mlir_attr *attributes,
                                int known_count, const char *const *known,
                                struct mlir_attr *backend_config, const struct dict **out);

/* Puts shardings given as attributes of an operation on its results' types. */
void mlir_fields_annotate(struct mlir_program *program, const struct mlir_attr *attributes,
                          struct op *op);

/* The attributes of a function's argument or result (a DICT or NULL): layout, memory kind and
 * sharding become part of *type, aliasing and donation of *out. */
struct error *mlir_fields_argument(struct mlir_program *program, const struct mlir_attr *attributes,
                                   const struct type **type, struct argument_info *out);

#endif
