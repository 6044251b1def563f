/* mosaic_affine.h: index maps that are written as affine maps, as functions of the kernel IR. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_AFFINE_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_AFFINE_H

#include "compiler/kernel_ir/kernel_ir.h"

/* Makes the function of "affine_map<(d0, d1) -> (d0, d1 floordiv 2, 0)>" in the arena: its
 * arguments are those of the kernel's index maps (grid indices and prefetched scalars), and the map
 * has a dimension for each index of the grid. INVALID_ARGUMENT for damaged text, UNIMPLEMENTED for
 * symbols. */
struct error *mosaic_affine_function(struct arena *arena, struct string text,
                                     const struct kernel *kernel, struct kernel_function *out);

#endif
