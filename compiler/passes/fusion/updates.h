/* updates.h: kernels store what they compute into windows of larger arrays themselves. A loop that
 * keeps several values of each iteration, as a scan whose gradient needs them, has an update in
 * place for each (FUSION_UPDATE), besides the kernel that computes them. These become one
 * FUSION_UPDATE in the place of that kernel: its results are the updated arrays, and those of the
 * kernel's that other operations use. Values that are only kept are stored once, and a carried
 * array that is kept and computed anew may be overwritten by its new value.
 *
 * Joins updates whose windows have the shape of the kernel's results, whose arrays nothing else
 * reads, and that use results of the kernel or an array of that shape that it reads, element by
 * element. Requires fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_UPDATES_H
#define GANTRY_COMPILER_PASSES_FUSION_UPDATES_H

#include "compiler/ir/ir.h"

struct target;

struct error *updates_run(struct module *module, const struct target *target);

#endif
