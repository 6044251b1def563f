/* mosaic_window.h: the attributes of a kernel's main function: the grid, the roles of its
 * arguments, and the windows of its arrays. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_WINDOW_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_WINDOW_H

#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/kernel_ir/kernel_ir.h"

/* Reads "iteration_bounds", "dimension_semantics", "scalar_prefetch", "scratch_operands" and
 * "window_params" of the main function's dictionary; kernel->main and functions are set. */
struct error *mosaic_window_read(struct arena *arena, const struct mlir_attr *dict,
                                 struct kernel *kernel);

#endif
