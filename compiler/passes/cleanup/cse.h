/* cse.h: common subexpression elimination. Replaces a pure operation by an equal one that dominates
 * it, also from an outer block, except that constants and iotas are not replaced across blocks:
 * they are free within a region, but captures are not. Skips collectives and operations with large
 * regions. */
#ifndef GANTRY_COMPILER_PASSES_CLEANUP_CSE_H
#define GANTRY_COMPILER_PASSES_CLEANUP_CSE_H

#include "compiler/ir/ir.h"

struct target;
struct error *cse_run(struct module *module, const struct target *target);

#endif
