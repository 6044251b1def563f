/* mosaic_op.h: converts the operations of a kernel's bytecode to those of the kernel IR. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_OP_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_OP_H

#include "compiler/frontend/bytecode/mlir_op.h"
#include "compiler/frontend/mosaic/mosaic_type.h"
#include "compiler/kernel_ir/kernel_ir.h"

struct mosaic_reader {
    struct mlir_file *file;
    struct arena *arena;
    struct mosaic_types types;
    int version;     /* of stable_mosaic */
    int value_count; /* of the function that is read */
    bool has_communication;
};

/* Converts a region's block with everything in it. UNIMPLEMENTED and INVALID_ARGUMENT name the
 * operation and its location. */
struct error *mosaic_op_block(struct mosaic_reader *r, const struct mlir_region *region,
                              struct kernel_block *out);

#endif
