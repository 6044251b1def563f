/* auto_links.h: what it costs to bring a value from one placement to another, in seconds, by the
 * planner's figures for collectives along sets of axes. Slices are free; axes that change their
 * dimension are exchanged (all-to-all); axes that are left are gathered; partial sums are reduced,
 * scattered where the axis shards the target. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_LINKS_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_LINKS_H

#include "compiler/ir/sharding.h"
#include "compiler/passes/spmd/auto/auto_placement.h"

enum auto_collective { AUTO_GATHER, AUTO_EXCHANGE, AUTO_REDUCE, AUTO_SCATTER, AUTO_COLLECTIVES };

struct auto_links {
    const struct mesh *mesh;
    /* Of a collective along the axes of a set (a bit each) whose operand on a device has `bytes`
     * bytes: fixed + bytes * each. */
    double fixed[AUTO_COLLECTIVES][1 << AUTO_MAX_AXES], each[AUTO_COLLECTIVES][1 << AUTO_MAX_AXES];
};

/* `bytes`: of the whole value. `partial`: the axes along which the value is still to be summed,
 * which do not shard it. Pure. */
double auto_links_seconds(const struct auto_links *links, double bytes,
                          const struct auto_placement *from, unsigned partial,
                          const struct auto_placement *to);

#endif
