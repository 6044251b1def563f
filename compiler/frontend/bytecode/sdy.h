/* sdy.h: the Shardy dialect: attributes to meshes and shardings, operations that only annotate
 * to annotations. A value's sharding goes on its type; an operation that computes nothing on its
 * own becomes the value it passes on. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_SDY_H

#include "compiler/frontend/bytecode/vhlo.h"
#include "compiler/ir/sharding.h"

/* Reads the fields of the attribute with this code into *out. Shardings name a mesh that
 * sdy_mesh() has seen, or hold one. */
struct error *sdy_attr_read(struct mlir_file *file, struct bytes *in, uint64_t code,
                            struct mlir_attr *out);

/* Takes in an sdy.mesh of the module. */
struct error *sdy_mesh(struct mlir_file *file, const struct mlir_op *op);

/* Converts an operation of the dialect. UNIMPLEMENTED for those that need more than one device. */
struct error *sdy_op(struct vhlo *v, struct mlir_op *op, struct block *block);

/* Puts a sharding on a value's type, unless it has one or is no tensor. */
void sdy_annotate(struct arena *arena, struct value *value, const struct sharding *sharding);

#endif
