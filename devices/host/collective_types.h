/* collective_types.h: how elements of a type are combined: loaded into an accumulator (f32 for bf16
 * and f16, else the type itself), combined there, and stored. Integers wrap around; minimum and
 * maximum propagate NaN; sums of predicates are `or`, products `and`. Pure functions, thread-safe.
 * */
#ifndef GANTRY_DEVICES_HOST_COLLECTIVE_TYPES_H
#define GANTRY_DEVICES_HOST_COLLECTIVE_TYPES_H

#include <stddef.h>

#include "compiler/program/program.h"

struct collective_type {
    /* accumulator[0, count) = from; = accumulator <reducer> from; to = accumulator */
    void (*load)(void *accumulator, const void *from, size_t count);
    void (*combine)(void *accumulator, const void *from, size_t count);
    void (*store)(void *to, const void *accumulator, size_t count);
    size_t bytes; /* of an element in memory; in an accumulator at most 16 */
};

/* For a pair that program_can_reduce() accepts. */
struct collective_type collective_types_get(enum collective_reducer reducer, enum dtype dtype);

#endif
