/* mosaic_dot.h: the attributes of products: of tpu.matmul "dimension_numbers" as text, or in older
 * kernels "transpose_lhs" and "transpose_rhs"; "precision"; of vector.contract "indexing_maps". */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_DOT_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_DOT_H

#include "compiler/frontend/mlir/mlir_attr.h"
#include "compiler/kernel_ir/kernel_ir.h"

/* Reads them of the operation's dictionary. INVALID_ARGUMENT for other text. */
struct error *mosaic_dot_read(struct arena *arena, const struct mlir_attr *dict,
                              const struct kernel_dot **out);
struct error *mosaic_dot_contract(struct arena *arena, const struct mlir_attr *dict,
                                  const struct kernel_dot **out);

#endif
