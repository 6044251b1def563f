/* shards.h: divides the kernels of a request among LLVM modules, which are compiled on several
 * threads. The division depends only on the kernels, never on the number of threads: equal requests
 * give equal bytes. */
#ifndef GANTRY_COMPILER_CODEGEN_SHARDS_H
#define GANTRY_COMPILER_CODEGEN_SHARDS_H

#include "compiler/codegen/codegen.h"

enum { SHARDS_MAX = 16 };

struct shard {
    int first, count; /* kernels of the request */
};

/* Returns the number of shards, >= 1. Each has at least one kernel, and together they have all, in
 * order. A module costs time of its own, and functions that kernels share are compiled for each
 * module, so a request has one shard unless it has many operations. */
int shards_divide(const struct codegen_request *request, struct shard shards[SHARDS_MAX]);

#endif
