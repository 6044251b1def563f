/* unroll.h: fully unrolls while loops with a small constant trip count, so that their operations
 * can be fused with others (JAX's random bits are five iterations of integer arithmetic on whole
 * arrays; as a loop they load and store the arrays five times). analysis/trip_count.h
 * states which trip counts are known. Inside of other loops, cheap loops that stack their results
 * stay: they are part of the outer loop's kernel. Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_LOOPS_UNROLL_H
#define GANTRY_COMPILER_PASSES_LOOPS_UNROLL_H

#include "compiler/ir/ir.h"

struct target;
struct error *unroll_run(struct module *module, const struct target *target);

/* Replaces loops that run once by their body, whatever it has. */
struct error *unroll_single_run(struct module *module, const struct target *target);

#endif
