/* mosaic_text_type.h: the types of a kernel's text: "f32", "vector<8x128xf32>",
 * "memref<8x128xf32, #tpu.memory_space<vmem>>". */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TEXT_TYPE_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_TEXT_TYPE_H

#include "compiler/frontend/text/mlir_parser.h"
#include "compiler/kernel_ir/kernel_ir.h"

/* Reads a type, into the arena. UNIMPLEMENTED for types that kernels do not have, INVALID_ARGUMENT
 * for shapes beyond KERNEL_MAX_ELEMENTS; with the position. */
struct error *mosaic_text_type(struct mlir_parser *p, const struct kernel_type **out);

#endif
