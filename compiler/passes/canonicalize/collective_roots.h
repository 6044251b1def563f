/* collective_roots.h: collectives of which one member of each group, the root, has a part of its
 * own: collective_reduce, and collective_broadcast whose root is a value. The root of operand i is
 * a position in the group: 0, or element i of the last operand with has_dynamic_root.
 *
 * Both become all_reduces that every participant is in. A collective_reduce keeps its result at the
 * root alone; the others get zeros. A collective_broadcast combines the bits of the root's operand
 * with zeros of the others by `or`, which is exact for every element type. A root that is no
 * position of the group gives zeros, as do participants that are in no group. Source: StableHLO's
 * specification. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_COLLECTIVE_ROOTS_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_COLLECTIVE_ROOTS_H

#include "compiler/analysis/collective.h"

/* Whether collective_roots() must replace the operation. */
bool collective_roots_are_needed(const struct op *op);

/* Replaces the operation, which has these groups. UNIMPLEMENTED for a broadcast of elements without
 * integers of their size. */
struct error *collective_roots(struct module *module, struct op *op,
                               const struct program_groups *groups);

#endif
