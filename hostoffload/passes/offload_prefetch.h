/* offload_prefetch.h: double-buffers slices that loops read from another memory kind. A
 * dynamic_slice of a loop-invariant array, whose indices are computed from carried scalars, is a
 * copy that each iteration would wait for. The pass makes its result a loop-carried value instead:
 * the slice of the first iteration is read before the loop, and each iteration reads the slice of
 * the next one while it uses its own. The last iteration reads a slice that is not used; indices
 * are clamped, so the read is in bounds. Requires offload_placement and canonical operations. Runs
 * before fusion. */
#ifndef GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_PREFETCH_H
#define GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_PREFETCH_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *offload_prefetch_run(struct module *module, const struct target *target);

#endif
