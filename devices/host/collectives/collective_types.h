/* collective_types.h: how elements of a type are combined: loaded into an accumulator (f32 for bf16
 * and f16, else the type itself), combined there, and stored. Integers wrap around; minimum and
 * maximum propagate NaN; sums of predicates are `or`, products `and`.
 *
 * The members of a group are the leaves of a binary tree, in their order: a node has 2^k members,
 * of which the first is a multiple of 2^k, or those of them that exist, and combines its two
 * halves, the first one on the left. A process that has all members of a node can combine them on
 * its own: the bits of results do not depend on who combines what.
 *
 * Pure functions, thread-safe. */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVE_TYPES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVE_TYPES_H

#include <stddef.h>

#include "compiler/program/program.h"

struct collective_operands { /* of all members of a group, in their order */
    int members;
    void *const *addresses; /* side by side: each is read again for every chunk of elements */
};

struct collective_type {
    /* accumulator[0, count) = the elements at byte `offset` of all members, combined by the tree.
     * It may be these elements of a member of the accumulator's type. */
    void (*combine)(void *accumulator, const struct collective_operands *from, size_t offset,
                    size_t count);
    /* to = accumulator; NULL: an accumulator has the type itself */
    void (*store)(void *to, const void *accumulator, size_t count);
    size_t bytes; /* of an element in memory; in an accumulator at most 16 */
};

/* For a pair that program_can_reduce() accepts. */
struct collective_type collective_types_get(enum collective_reducer reducer, enum dtype dtype);
/* The type of the accumulator: nodes are combined as elements of it. */
enum dtype collective_types_accumulator(enum dtype dtype);

#endif
