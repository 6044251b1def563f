/* model_pallas.h: the Pallas kernels of a module on the modeled accelerator: memory, time, bytes.
 */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_MODEL_PALLAS_H
#define GANTRY_COMPILER_MODEL_PALLAS_MODEL_PALLAS_H

#include "compiler/model/pallas/pallas_grid.h"
#include "compiler/plan/mosaic_call.h"

struct model_pallas_cost {
    const struct op *op; /* the first call */
    const struct mosaic_call *call;
    struct pallas_windows windows;
    struct pallas_grid grid;
    uint64_t vmem_limit;
    int64_t number; /* in the order of the module, from 1 */
    double times;   /* launched in one execution of the program; set by model_report() */
};

/* *out: the kernels by their struct mosaic_call, in the order of the module; NULL: there are none.
 * RESOURCE_EXHAUSTED for a kernel that needs more VMEM than it may use: with its windows by size.
 * Else as pallas_fifo_check(); INVALID_ARGUMENT for too little internal scratch memory.
 */
struct error *model_pallas(const struct module *module, const struct accelerator *accelerator,
                           struct map **out);

/* NULL for operations that are no Pallas kernels. Borrowed. */
struct model_pallas_cost *model_pallas_find(const struct map *all, const struct module *module,
                                            const struct op *op);

/* "input 0: memref<128x128xbf16, vmem>"; in the arena. */
const char *model_pallas_label(struct arena *arena, const struct pallas_window *window);

#endif
