/* vhlo.h: from the generic operations of a StableHLO portable artifact to the IR. VHLO 0.9.0 to
 * 1.17.0 are read; older forms of operations are brought to the newest. What an operation's
 * attributes are follows from the IR's own table: they come in the alphabetical order of their
 * names; vhlo_ops.def lists where VHLO differs. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_VHLO_H

#include "compiler/frontend/bytecode/mlir_op.h"

struct vhlo { /* one conversion */
    struct mlir_file *file;
    struct arena *arena;
    struct module *module;
    struct map *funcs; /* struct func by name */
};

/* Converts builtin.module into *out (not yet verified). Errors name the operation and its
 * location. */
struct error *vhlo_module(struct mlir_file *file, const struct mlir_op *module,
                          struct module **out);

/* Converts the operations of a region and appends them to `block`; its arguments' values are set
 * before. Used by sdy.h for regions that are inlined. */
struct error *vhlo_append(struct vhlo *v, const struct mlir_region *region, struct block *block);

/* What an operand became; INVALID_ARGUMENT when it is used before its definition. */
struct error *vhlo_operand(struct vhlo *v, const struct mlir_op *op, size_t i, struct value **out);

#endif
