/* mosaic_read.h: reads a kernel from Mosaic's MLIR (dialect stable_mosaic), as the clients of a TPU
 * send it in the configuration of "tpu_custom_call": JAX sends bytecode, TorchTPU text. Kernels of
 * versions up to MOSAIC_NEWEST are upgraded (mosaic_upgrade.h). Thread-safe for different arenas.
 */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_READ_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_READ_H

#include "compiler/kernel_ir/kernel_ir.h"

#define MOSAIC_NEWEST 15

/* Reads and verifies (kernel_verify) the kernel; everything is in the arena or borrowed from
 * `bytes`, which must live as long. INVALID_ARGUMENT for damaged bytes; UNIMPLEMENTED for newer
 * versions, and for operations outside of kernel_ops.def, by name and source line. Errors in text
 * have its line. */
struct error *mosaic_read_kernel(struct arena *arena, const void *bytes, size_t size,
                                 struct kernel **out);

#endif
