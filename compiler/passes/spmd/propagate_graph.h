/* propagate_graph.h: a program as sharding propagation sees it: the shardings that are to be found
 * and the relations between them. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_GRAPH_H
#define GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_GRAPH_H

#include "base/vec.h"
#include "compiler/ir/ir.h"
#include "compiler/passes/spmd/propagate_relation.h"
#include "compiler/passes/spmd/spmd_mesh.h"

struct propagate_graph {
    struct module *module;
    struct arena *arena; /* of the graph */
    const struct spmd_mesh *mesh;
    VEC(struct relation *) relations; /* in program order */
    struct sharded *
        *results;            /* of the entry function; a result may be sharded unlike the value that
                               * the body returns. NULL: not a tensor */
    VEC(int64_t) priorities; /* of annotations, ascending, from 0 on */
    VEC(struct op *) partial; /* sums whose value may stay unreduced, as a constraint asks */
    struct map *groups;       /* struct sharded of each sharding_group */
    struct error *error;      /* while it is built: the first one found */
};

/* Builds the graph of the entry function and its regions of control flow, with the annotations as
 * initial shardings: those of the types of values and results, and of sharding_constraint,
 * full_to_shard and shard_to_full. Afterwards the note of each of these values is its struct
 * sharded, NULL if it is no tensor. The graph is in `arena`. Linear in the size of the program.
 * Errors: those of manual_axes_check(). */
struct error *propagate_graph_build(struct arena *arena, struct module *module,
                                    const struct spmd_mesh *mesh, struct propagate_graph *out);

#endif
