/* buffer_temporaries.h: assigns offsets to classes of temporaries. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_TEMPORARIES_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_TEMPORARIES_H

#include "compiler/passes/buffer/assigner.h"

/* Assigns offsets to the temporaries of one memory kind: in results of the entry, where these are
 * free until they are written, otherwise in a separate block, whose size is returned. */
uint64_t buffer_temporaries_allocate(struct assigner *a, enum memory_kind memory);

#endif
