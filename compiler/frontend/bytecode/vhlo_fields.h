/* vhlo_fields.h: from generic attributes to the fields of the IR's operations and functions. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_FIELDS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_FIELDS_H

#include "compiler/frontend/bytecode/vhlo.h"

/* Sets a field of *out from an attribute. Errors say what the attribute is and what it should
 * be; the caller adds the operation. backend_config as a dictionary is left to
 * vhlo_fields_extra(). */
struct error *vhlo_fields_set(struct vhlo *v, const struct attr_field *field,
                              struct mlir_attr *attr, union attrs *out);

/* The discardable attributes that the IR keeps: all of `attributes` (may be NULL) but the
 * `known_count` names of inherent ones, and `backend_config` (may be NULL) under
 * "mhlo.backend_config". NULL when none. */
struct error *vhlo_fields_extra(struct vhlo *v, struct mlir_attr *attributes, int known_count,
                                const char *const *known, struct mlir_attr *backend_config,
                                const struct dict **out);

/* Puts shardings given as attributes of an operation on its results' types. */
void vhlo_fields_annotate(struct vhlo *v, const struct mlir_attr *attributes, struct op *op);

/* The attributes of a function's argument or result (a DICT or NULL): layout, memory kind and
 * sharding become part of *type, aliasing and donation of *out. */
struct error *vhlo_fields_argument(struct vhlo *v, const struct mlir_attr *attributes,
                                   const struct type **type, struct argument_info *out);

#endif
