/* carry_rotation.h: loops in which carried arrays change places, as `a, b = b, f(a)`, or in which a
 * new value cannot be written over the one before, as in a stencil, copy arrays at the end of each
 * iteration. This pass repeats the body so often that all arrays are in their places again
 * (carry_slots.h); then nothing is copied. Where the trip count is known, the loop counts the
 * repetitions with a counter of its own, and the remaining iterations follow it. Otherwise the
 * condition is tested after each repetition, and a loop that ends between two copies once.
 *
 * Only where this saves at least an eighth of an iteration's cost, and CARRY_ROTATION_BYTES. Loops
 * with side effects or collectives, and large bodies, are left alone. Requires that fusion has run,
 * before loops are outlined. Overwrites the notes of operations and of values in fusions. */
#ifndef GANTRY_COMPILER_PASSES_BUFFER_CARRY_ROTATION_H
#define GANTRY_COMPILER_PASSES_BUFFER_CARRY_ROTATION_H

#include "compiler/ir/ir.h"

struct target;

enum { CARRY_ROTATION_BYTES = 16384 };

struct error *carry_rotation_run(struct module *module, const struct target *target);

#endif
