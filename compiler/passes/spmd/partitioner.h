/* partitioner.h: what the files of the partitioner share. The module is rewritten in place from the
 * entry function's first operation to its last: a value's type becomes that of one shard, and
 * value.note points to its struct shard. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITIONER_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITIONER_H

#include "compiler/ir/build.h"
#include "compiler/passes/spmd/tiling.h"

struct halo;

struct shard_copy { /* the same value in another tiling */
    struct value *value;
    struct shard_copy *next;
};

struct shard_range { /* ranges of one of its dimensions (halo.h), not masked */
    struct value *value;
    int dim;
    const struct halo *halo;
    struct shard_range *next;
};

struct shard_slice { /* the value is a slice of another one along one dimension */
    struct value *of;
    int dim;
    int64_t start;
};

struct shard { /* value.note of a tensor that has been partitioned */
    const struct type *global;
    const struct tiling *tiling;
    struct shard_copy *copies;
    struct shard_range *ranges;
    const struct shard_slice *slice; /* NULL: unknown */
};

struct partitioner {
    struct module *module;
    struct arena *arena; /* the scratch of the pass: shards, tilings, rules, what is requested */
    const struct spmd_mesh *mesh;
    const struct device_grid *grid; /* of the mesh */
    /* The target models an accelerator, whose partitioner
     *   - completes a sum whose parts are wanted by an all_reduce and a slice;
     *     reduce_scatter_match makes them one,
     *   - gathers a value for each of its users, so that it is not kept meanwhile,
     *   - does not compare bytes (factor_axes.h),
     *   - sums what all need of one partition with zeros of the others. */
    bool is_modeled;
    bool agrees_first;  /* of the accelerator: agrees_before_partitioning */
    int64_t channel;    /* the last channel id that was given to a collective */
    struct map *groups; /* the groups of collectives by their axes (spmd_collective.c) */
    struct map *moves;  /* the pairs of permutations by both tilings (reshard.c) */
    /* The offsets of shards by their block, at whose beginning they are computed, axes and size
     * (spmd_collective.c). */
    struct map *offsets;
};

static inline struct shard *shard_of(const struct value *value)
{
    return value->note;
}

/* Makes `value`, whose type is that of a shard, a shard of a value of type `global`. */
void shard_set(struct partitioner *p, struct value *value, const struct type *global,
               const struct tiling *tiling);

/* The tiling that a global type's sharding asks for; replicated when it has none. */
const struct tiling *partitioner_wanted(struct partitioner *p, const struct type *type);

/* Replaces the uses of `from` by `to`, except by the operations between the definitions of the two,
 * which compute one from the other. */
void partitioner_replace(struct partitioner *p, struct value *from, struct value *to);

#endif
