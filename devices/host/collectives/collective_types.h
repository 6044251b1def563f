/* collective_types.h: how elements of a type are combined: loaded into an accumulator (f32 for bf16
 * and f16, else the type itself), combined there, and stored. Integers wrap around; minimum and
 * maximum propagate NaN; sums of predicates are `or`, products `and`. Pure functions, thread-safe.
 * */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVE_TYPES_H
#define GANTRY_DEVICES_HOST_COLLECTIVES_COLLECTIVE_TYPES_H

#include <stddef.h>

#include "compiler/program/program.h"

struct collective_operands { /* of all members of a group, in their order */
    int members;
    void *const *addresses; /* side by side: each is read again for every chunk of elements */
};

struct collective_type {
    /* accumulator[0, count) = the elements at byte `offset` of all members, from the first on */
    void (*combine)(void *accumulator, const struct collective_operands *from, size_t offset,
                    size_t count);
    /* to = accumulator; NULL: an accumulator has the type itself */
    void (*store)(void *to, const void *accumulator, size_t count);
    size_t bytes; /* of an element in memory; in an accumulator at most 16 */
};

/* For a pair that program_can_reduce() accepts. */
struct collective_type collective_types_get(enum collective_reducer reducer, enum dtype dtype);

#endif
