/* mosaic_attr.h: the attributes of a kernel's operations (mosaic_attrs.def, and those of constants
 * and matrix products) as struct kernel_attrs. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_ATTR_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_ATTR_H

#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/kernel_ir/kernel_ir.h"

/* Converts the dictionary (NULL: none) of an operation with this code. INVALID_ARGUMENT for values
 * of the wrong form; the message lacks the operation. */
struct error *mosaic_attr_convert(struct arena *arena, enum kernel_code code,
                                  const struct mlir_attr *dict, struct kernel_attrs *out);

/* A list of integers: a dense array, or an array of integers; empty for NULL. */
struct error *mosaic_attr_ints(struct arena *arena, struct mlir_attr *attr, const char *name,
                               struct dims *out);

/* "parallel" of "#tpu.dimension_semantics<parallel>"; empty where there is none. */
struct string mosaic_attr_keyword(const struct mlir_attr *attr);
bool mosaic_attr_is(const struct mlir_attr *attr, const char *keyword);

#endif
