/* pallas_windows.h: what a Pallas TPU kernel has in the memories of a core, by the rule that the
 * TPU's compiler keeps: each array or block in VMEM is padded to the tiles of its type, and is
 * there twice if the next block is copied while the kernel works on this one. (docs/pallas.md says
 * how it was found.) */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_WINDOWS_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_WINDOWS_H

#include "compiler/accelerator.h"
#include "compiler/kernel_ir/kernel_ir.h"

enum pallas_role { PALLAS_PREFETCH, PALLAS_INPUT, PALLAS_OUTPUT, PALLAS_SCRATCH, PALLAS_ALLOCA };

struct pallas_window {
    enum pallas_role role;
    int index; /* among those of its role */
    const struct kernel_type *type;
    enum kernel_space space;
    uint64_t bytes; /* of one buffer, with padding */
    int buffers;
    /* Its block depends on these dimensions of the grid, of more than one step: 1 << dimension.
     * moves: on any of them, or on prefetched scalars. */
    unsigned dimensions;
    bool moves, synchronous;
    const struct kernel_window *window; /* NULL: the kernel sees the whole array */
};

struct pallas_windows {
    int count;
    struct pallas_window *items; /* prefetched arrays, inputs, outputs, scratch, then allocas */
    uint64_t vmem_bytes, smem_bytes;
    double steps; /* of the grid; dynamic bounds count as PALLAS_UNKNOWN_STEPS */
};

/* What the TPU compiler's own profiles take for a bound that is not known. */
enum { PALLAS_UNKNOWN_STEPS = 32 };

/* Bytes of an array in VMEM, with padding; 0 for semaphores and dynamic sizes, UINT64_MAX when it
 * overflows. */
uint64_t pallas_windows_padded(const struct accelerator *accelerator,
                               const struct kernel_type *type);

/* Everything is in the arena. `results`: of the kernel's arrays, the last ones. Linear in the size
 * of the kernel. */
struct pallas_windows pallas_windows(struct arena *arena, const struct accelerator *accelerator,
                                     const struct kernel *kernel, int results);

const char *pallas_windows_role(enum pallas_role role); /* "input"; static */

#endif
