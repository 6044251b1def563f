/* mosaic.h: what a Mosaic kernel is, the module in the configuration of the custom call
 * "tpu_custom_call" (Pallas for TPUs): its name, and how much of the memories of a TPU's core its
 * operands, results and scratch take. Kernels are not executed; this is for messages and plans.
 * Thread-safe for different arenas. */
#ifndef GANTRY_COMPILER_FRONTEND_BYTECODE_MOSAIC_H
#define GANTRY_COMPILER_FRONTEND_BYTECODE_MOSAIC_H

#include "compiler/ir/ir.h"

struct mosaic_kernel {
    struct string name; /* in the arena; empty: unknown */
    int64_t vmem_bytes; /* one buffer each, without padding to tiles */
    int64_t smem_bytes;
};

/* Reads the JSON text of a call's configuration, whose "custom_call_config"."body" is the kernel's
 * MLIR bytecode in base64. INVALID_ARGUMENT or UNIMPLEMENTED for what cannot be read; *out is zero
 * then. */
struct error *mosaic_read(struct arena *arena, struct string config, struct mosaic_kernel *out);

#endif
