/* mosaic_config.h: the configuration of a custom call `tpu_custom_call` (its backend_config): the
 * kernel's bytes and what the client asks of the compiler. JSON, as JAX's
 * jax/_src/tpu_custom_call.py writes it:
 *
 *   {"custom_call_config": {"body": "base64 of MLIR bytecode", "serialization_format": 1,
 *        "has_communication": true, "collective_id": 0, "cost_estimate": {"flops": 1, ...},
 *        "output_memory_space_colors": [{"color": 1, "shape_index": [0]}],
 *        "input_memory_space_colors": [{"operand_index": 0, "color": 1}], ...},
 *    "device_type": "DEVICE_TYPE_TENSORCORE",
 *    "scoped_memory_configs": [{"memory_space": 1, "offset": 0, "size": 33554432}],
 *    "flag_configs": [{"flag_type": "...", "value": {...}}]}
 *
 * Hints to the TPU's compiler that do not change what a kernel computes are accepted and ignored.
 * A field that is not known is accepted only if it asks for nothing (null, false, 0, empty);
 * otherwise it is UNIMPLEMENTED, by its name: it might change what the kernel means. */
#ifndef GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_CONFIG_H
#define GANTRY_COMPILER_FRONTEND_MOSAIC_MOSAIC_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "compiler/frontend/mosaic/mosaic_read.h"

/* Where an operand or result is, by XLA's number for the memory space ("color"). */
enum mosaic_color {
    MOSAIC_COLOR_NONE = -1, /* where the compiler puts it: HBM */
    MOSAIC_COLOR_HBM = 0,
    MOSAIC_COLOR_VMEM = 1,
    MOSAIC_COLOR_SEMAPHORE = 2,
    MOSAIC_COLOR_SMEM = 4,
    MOSAIC_COLOR_HOST = 5
};

struct mosaic_cost { /* the client's own estimate */
    double flops, transcendentals, bytes_accessed, remote_bytes;
};

struct mosaic_placement { /* of one operand or result */
    int64_t index;
    enum mosaic_color color;
};

struct mosaic_config {
    const uint8_t *body; /* MLIR bytecode */
    size_t body_size;
    const uint8_t *locations; /* of the body's operations, see mosaic_locations.h; NULL: inside */
    size_t locations_size;
    bool has_communication;     /* with other devices */
    bool disable_bounds_checks; /* the client wants none */
    bool allow_input_fusion;    /* of any operand; a hint */
    int64_t collective_id;      /* which barrier semaphore; -1: none */
    int64_t vmem_limit_bytes;   /* -1: the generation's default */
    int64_t internal_scratch_bytes;
    bool has_cost;
    struct mosaic_cost cost;
    int operand_count, result_count; /* that have a placement */
    struct mosaic_placement *operands, *results;
};

/* Reads a configuration. Everything is in the arena, including a copy of the body, and is bounded
 * by the text's size. INVALID_ARGUMENT for text that is not such a configuration; UNIMPLEMENTED for
 * what only other compilers support: kernels of the SparseCore, other formats of the body. *out is
 * valid only without an error. Thread-safe for different arenas. */
struct error *mosaic_config_read(struct arena *arena, const char *text, size_t size,
                                 struct mosaic_config *out);

/* The kernel of a configuration, which is borrowed. */
static inline struct mosaic_source mosaic_config_source(const struct mosaic_config *config)
{
    return (struct mosaic_source){config->body, config->body_size, config->locations,
                                  config->locations_size};
}

#endif
