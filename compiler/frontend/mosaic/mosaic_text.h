/* mosaic_text.h: reads the module of a kernel from MLIR text in generic form, as TorchTPU sends it:
 *
 *   module attributes {stable_mosaic.version = 13 : i64} {
 *     "stable_mosaic.func.func"() ({
 *     ^bb0(%arg0: i32, %arg1: memref<8x128xf32, #tpu.memory_space<vmem>>):
 *       ...
 *     }) {sym_name = "kernel", ...} : () -> ()
 *   }
 *
 * Operations without a location get their position in the text. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TEXT_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TEXT_H

#include "compiler/frontend/mosaic/mosaic_op.h"

/* Appends the functions; module->arena is set. `text` is borrowed for the arena's lifetime. The
 * errors of mosaic_read_kernel(), by line and column. */
struct error *mosaic_text_read(const char *text, size_t size, struct mosaic_module *module);

#endif
