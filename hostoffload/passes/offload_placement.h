/* offload_placement.h: decides the memory kind of every value. Arguments have their declared kind,
 * and copies the kind of their annotation. All other values are in device memory, except those that
 * take the kind of a value in another memory:
 *   - its aliases (reshape, optimization_barrier);
 *   - an array that it is written into by dynamic_update_slice, if that array is initially a
 *     constant: the stacked results of a scan;
 *   - values that a loop carries or a branch returns.
 * Then copies within one kind are removed, a copy before a dynamic_update_slice into its kind is
 * folded into the update, and copies are inserted where kinds still differ, including the results
 * of the program. Afterwards a loop carries each value in one kind, an update has the kind of the
 * array that it updates, and memory_copy_is() reports the operations that move data between kinds.
 * Operations that compute read any kind and write to device memory. Errors: INVALID_ARGUMENT for a
 * loop whose annotations place one carried value in two kinds. Requires offload_annotations. No
 * other pass may insert copies or change kinds between the two. */
#ifndef GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_PLACEMENT_H
#define GANTRY_HOSTOFFLOAD_PASSES_OFFLOAD_PLACEMENT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *offload_placement_run(struct module *module, const struct target *target);

/* Only sets the kinds of values, for code that reads the module before the pass runs: operands may
 * still have other ones. */
void offload_placement_kinds(struct module *module);

#endif
