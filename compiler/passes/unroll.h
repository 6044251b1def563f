/* unroll.h: loops with a small number of turns that is known at compile time become straight code,
 * so that what they compute can fuse with its surroundings (JAX's random bits are five turns of
 * integer arithmetic over whole arrays, which as a loop go through memory five times).
 * Known: the condition compares a carried counter with a constant, the counter starts at a
 * constant, and the body adds a constant to it. Needs: canonical operations only. */
#ifndef GANTRY_COMPILER_PASSES_UNROLL_H
#define GANTRY_COMPILER_PASSES_UNROLL_H

#include "compiler/ir/ir.h"

struct target;
struct error *unroll_run(struct module *module, const struct target *target);

/* The number of turns of a while, or -1 when it is not known. */
int64_t unroll_turns(const struct op *loop);

#endif
