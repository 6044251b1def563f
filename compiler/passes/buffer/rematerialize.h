/* rematerialize.h: recomputes values before late uses instead of keeping them in memory, for
 * programs that do not fit otherwise. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_REMATERIALIZE_H
#define GANTRY_COMPILER_PASSES_BUFFER_REMATERIALIZE_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct rematerialized {
    uint64_t before, after; /* estimated peak of live bytes */
    int operations;         /* number of added operations */
};

/* Adds operations to the entry until its peak of live bytes is `saving` bytes lower, or no
 * candidate is left. Fused loops are recomputed first, matrix products and convolutions only if
 * that is not enough. The results of the program stay bitwise equal. Requires that fusion has run
 * and that the order of operations is final. O(n log n) in the operations and their operands. */
struct rematerialized rematerialize_run(struct module *module, const struct target *target,
                                        uint64_t saving);

#endif
