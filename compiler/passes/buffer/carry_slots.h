/* carry_slots.h: in whose memory a loop's next values are computed. The arrays that a loop carries
 * have one slot each. The next value of one may be computed in its own slot, over the value before
 * (in place), in the slot of another array, or in neither: a stencil reads more of its array than
 * it writes at the time. A value that is not in its own slot at the end of an iteration is copied
 * there. If the same iteration follows L times, all values are back in their slots after the last
 * one, and nothing is copied. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_CARRY_SLOTS_H
#define GANTRY_COMPILER_PASSES_BUFFER_CARRY_SLOTS_H

#include "compiler/ir/ir.h"

enum {
    CARRY_SLOT_NEW = -1,    /* in no slot: in memory of its own */
    CARRY_SLOT_OUTSIDE = -2 /* copied in any case: from outside of the loop, or in a slot already */
};

struct carry_slots {
    int count;
    int *slot;      /* [i]: where the i-th next value is at the end of an iteration */
    int period;     /* L; 1: each value is in its own slot, or L would be more than the limit */
    uint64_t bytes; /* that are copied in each iteration because values are in other slots */
};

/* For a while after carried_order(), with everything that is fused. Arrays of less than `least`
 * bytes do not count. Overwrites the notes of the body's operations and of values in fusions. All
 * memory comes from the arena. Linear in the body, but for the uses of carried values. */
struct carry_slots carry_slots_of(struct arena *arena, const struct op *loop, uint64_t least,
                                  int limit);

#endif
