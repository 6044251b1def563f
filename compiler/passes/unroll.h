/* unroll.h: loops with a small trip count that is known at compile time become straight-line code,
 * so that their operations can fuse with others (JAX's random bits are five iterations of integer
 * arithmetic over whole arrays, which as a loop read and write memory five times).
 * Known: the condition compares a carried counter with a constant, the counter starts at a
 * constant, and the body adds a constant to it. Needs: canonical operations only. */
#ifndef GANTRY_COMPILER_PASSES_UNROLL_H
#define GANTRY_COMPILER_PASSES_UNROLL_H

#include "compiler/ir/ir.h"

struct target;
struct error *unroll_run(struct module *module, const struct target *target);

/* The trip count of a while, or -1 when it is unknown. */
int64_t unroll_trip_count(const struct op *loop);

#endif
