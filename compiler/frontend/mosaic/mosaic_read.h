/* mosaic_read.h: reads a kernel from Mosaic's MLIR (dialect stable_mosaic), as the clients of a TPU
 * send it in the configuration of "tpu_custom_call": JAX sends bytecode, TorchTPU text. Kernels of
 * versions up to MOSAIC_NEWEST are upgraded (mosaic_upgrade.h). Thread-safe for different arenas.
 */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_READ_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_READ_H

#include "compiler/kernel_ir/kernel_ir.h"

#define MOSAIC_NEWEST 18

struct mosaic_source { /* all borrowed */
    const void *bytes; /* bytecode or text */
    size_t size;
    const void *locations; /* of bytecode (mosaic_locations.h); NULL: in `bytes` */
    size_t locations_size;
};

/* Reads and verifies (kernel_verify) the kernel; everything is in the arena or borrowed from the
 * source's bytes, which must live as long. INVALID_ARGUMENT for damaged bytes; UNIMPLEMENTED for
 * newer versions, and for operations outside of kernel_ops.def, by name and source line. Errors in
 * text have its line. */
struct error *mosaic_read_kernel(struct arena *arena, const struct mosaic_source *source,
                                 struct kernel **out);

#endif
