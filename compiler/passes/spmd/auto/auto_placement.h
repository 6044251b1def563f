/* auto_placement.h: how a value is divided over automatic sharding's mesh: along whole axes. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_PLACEMENT_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_PLACEMENT_H

#include "compiler/ir/auto_request.h"

struct auto_placement {
    int8_t dims[AUTO_MAX_AXES]; /* that is sharded along each axis; -1: replicated along it */
};

#endif
