/* propagate.h: sharding propagation. Finds how each value is partitioned from the annotations of
 * some: arguments, results, sharding_constraint, manual computations, sharding groups.
 *
 * Axes spread along the factors of operations (compiler/ir/sharding_rules.h), from operands to
 * results and back, until nothing changes. What comes first wins:
 *
 *   1. the user's priorities of annotations, 0 first
 *   2. operations that work element by element, and slices forward; then what operations pass
 *      through from operands to results; then reductions and all others (propagate_relation.h)
 *   3. where two factors of an operation want the same axis in a value: the factor with more
 *      shards, then that of the larger value, then that of the first operand
 *
 * Operations are visited in program order, except that those of a value that has changed come
 * first. Where the values of an operation disagree on a factor, they keep their own shardings, and
 * partitioning reshards between them. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_H
#define GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_H

#include "compiler/ir/ir.h"

struct target;

/* Sets the sharding of the type of every tensor of the entry function, its regions of control flow
 * included, and of the function's results: over the module's one mesh (spmd_mesh.h), without
 * sub-axes, with closed dimensions. A sharding_constraint gets the sharding of its result. Open
 * dimensions of arguments and results are sharded evenly, along whole axes of the program. Runs
 * before the pass entry_layouts. A module of one partition is left as it is. Linear in the size of
 * the program. Errors: those of spmd_mesh_create(). */
struct error *propagate_run(struct module *module, const struct target *target);

#endif
