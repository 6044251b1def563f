/* model_vmem.h: which values the modeled accelerator keeps in vector memory between kernels, by the
 * algorithm of XLA's memory-space assignment, whose source is public, with the settings that
 * libtpu's dumps print:
 *
 * Values are taken by the seconds that their kernels save for the square root of their size. Each
 * is placed from use to use: where it was made or fetched, if there is room until the next use and
 * that is not longer off than `LONGEST` copies of the whole memory take; otherwise it moves to HBM
 * and is fetched before the use, by a copy that runs beside kernels that take at least as long,
 * `PREFERRED` times as long if there is room. Arguments are fetched alike, so they compete with
 * temporaries. At any time one copy runs. The compiler's loops run `TRIPS` times.
 *
 * What a loop carries is there for the whole loop or not at all; one that has the memory of an
 * argument or of the program's result only if copies to and from there take less than is saved. */
#ifndef GANTRY_COMPILER_MODEL_MEMORY_MODEL_VMEM_H
#define GANTRY_COMPILER_MODEL_MEMORY_MODEL_VMEM_H

#include "compiler/model/model_graph.h"

/* Sets `in_vmem` of the buffers that never leave vector memory, and of reads that earlier kernels
 * left there or that are copied there; lists the copies where they begin (`begun` of blocks and
 * groups), in the order of their use. model_buffers() has run. O(n log n) in the uses of
 * all values. */
void model_vmem(struct model *model);

#endif
