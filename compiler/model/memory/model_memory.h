/* model_memory.h: where the modeled accelerator keeps the values of a program, and when. */
#ifndef GANTRY_COMPILER_MODEL_MEMORY_MODEL_MEMORY_H
#define GANTRY_COMPILER_MODEL_MEMORY_MODEL_MEMORY_H

#include "compiler/model/model_graph.h"

/* Numbers the groups, gives every stored value a buffer, and places the buffers of temporaries: in
 * vector memory, those that save most time for their size as long as it has room; the others in
 * HBM. Returns the bytes of HBM for temporaries. model_fusion() has run. */
uint64_t model_memory(struct model *model);

#endif
