/* buffer_results.h: allocates temporaries in the memory of results that are not written yet. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_BUFFER_RESULTS_H
#define GANTRY_COMPILER_PASSES_BUFFER_BUFFER_RESULTS_H

#include "compiler/passes/buffer/buffer_offsets.h"

struct buffer_result {
    int allocation;
    uint64_t bytes;
    struct buffer_request usage; /* when the memory is in use; its bytes are ignored */
};

/* Allocates as many requests as possible in results and sets their offset and allocation. Returns
 * the number of remaining requests, which are moved to the front in their order. Requests must be
 * in the order of buffer_offsets_sort(). A bounded number of results is tried for each. Reorders
 * `results`. */
size_t buffer_results_reuse(struct arena *arena, size_t result_count, struct buffer_result *results,
                            size_t count, struct buffer_request *requests, uint64_t alignment);

#endif
