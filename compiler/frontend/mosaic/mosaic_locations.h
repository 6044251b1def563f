/* mosaic_locations.h: the source locations of a kernel that a client sends apart from its body, so
 * that equal kernels have equal bodies (JAX 0.12, "debug_locations"): bytecode of an empty module
 * whose attribute `tpu.locs` lists locations in the order of a walk over the body's module: an
 * operation, the arguments of its regions, then the operations in these regions. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_LOCATIONS_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_LOCATIONS_H

#include "compiler/frontend/bytecode/mlir_op.h"

/* Sets the origins of `top`, the body's module, and of all operations in it; those beyond the end
 * of the list keep their own. `bytes` are borrowed for the arena's lifetime. INVALID_ARGUMENT for
 * damaged bytes. */
struct error *mosaic_locations_apply(struct arena *arena, const void *bytes, size_t size,
                                     struct mlir_op *top);

#endif
