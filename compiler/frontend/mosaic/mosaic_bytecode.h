/* mosaic_bytecode.h: reads the module of a kernel from MLIR bytecode. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_BYTECODE_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_BYTECODE_H

#include "compiler/frontend/mosaic/mosaic_op.h"
#include "compiler/frontend/mosaic/mosaic_read.h"

/* Appends the functions; module->arena is set. The source's bytes are borrowed for the arena's
 * lifetime. The errors of mosaic_read_kernel(). */
struct error *mosaic_bytecode_read(const struct mosaic_source *source,
                                   struct mosaic_module *module);

#endif
