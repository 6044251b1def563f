/* sdy_attrs.h: the attributes of the Shardy dialect, from their bytecode entries. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_ATTRS_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_ATTRS_H

#include "compiler/frontend/bytecode/mlir_entry.h"

/* See struct mlir_dialect. Shardings name a mesh of the module that was read before, or hold one.
 * */
struct error *sdy_attrs_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                             struct mlir_attr *out);

#endif
