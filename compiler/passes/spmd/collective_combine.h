/* collective_combine.h: combines small collectives that do not depend on each other into one with
 * many operands, so that devices meet once: all_reduces and all_gathers with the same groups,
 * element type and reducer or dimension. Nothing is copied for it; results are the same bits.
 *
 * The level of an operation is the number of collectives on the longest path to it. Collectives of
 * the same level are independent, and what depends on one has a higher level, so combining within a
 * level never makes a circle. Operations whose order matters (transfers, calls with side effects)
 * are not crossed. Operands of one combined collective have at most 4 MiB, since they are all live
 * at once.
 *
 * Requires the states FLAT and CANONICAL. Linear in the module. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_COLLECTIVE_COMBINE_H
#define GANTRY_COMPILER_PASSES_SPMD_COLLECTIVE_COMBINE_H

#include "compiler/ir/ir.h"

struct target;

struct error *collective_combine_run(struct module *module, const struct target *target);

#endif
