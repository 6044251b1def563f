/* dce.h: dead code elimination: removes unused operations without side effects, loop-carried values
 * that are never read, and unused results of branches. Loop invariants that a loop carries become
 * captured values. */
#ifndef GANTRY_COMPILER_PASSES_CLEANUP_DCE_H
#define GANTRY_COMPILER_PASSES_CLEANUP_DCE_H

#include "compiler/ir/ir.h"

struct target;
struct error *dce_run(struct module *module, const struct target *target);

#endif
