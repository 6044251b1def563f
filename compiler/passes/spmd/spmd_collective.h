/* spmd_collective.h: constructors of the collectives that partitioning inserts, and of the index of
 * a partition's shard. Participants are the partitions whose coordinates differ on the given axes
 * only, in the order of these axes, major to minor; with several replicas each has groups of its
 * own. Each call makes operations at the builder's position; none fails (build.h). */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SPMD_COLLECTIVE_H
#define GANTRY_COMPILER_PASSES_SPMD_SPMD_COLLECTIVE_H

#include "compiler/passes/spmd/partitioner.h"

/* Reduces with a binary operation (add, maximum ...). */
struct value *collective_all_reduce(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, enum op_code reducer);
/* The same; each participant keeps its part of dimension `dim`, whose size must be divisible. */
struct value *collective_reduce_scatter(struct partitioner *p, struct builder *b,
                                        struct value *value, const struct axis_list *axes, int dim,
                                        enum op_code reducer);
/* Concatenates the participants' values along `dim`. */
struct value *collective_all_gather(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, int dim);
/* Splits along `split`, whose size must be divisible, and concatenates along `concat`. */
struct value *collective_all_to_all(struct partitioner *p, struct builder *b, struct value *value,
                                    const struct axis_list *axes, int split, int concat);
/* `pairs`: the grid's positions of source and target, `count` times; each occurs at most once as
 * either. */
struct value *collective_permute(struct partitioner *p, struct builder *b, struct value *value,
                                 int64_t count, const int64_t *pairs);
/* `pairs`: source and target participant, as numbers of members of a group. */
struct value *collective_permute_along(struct partitioner *p, struct builder *b,
                                       struct value *value, const struct axis_list *axes,
                                       int64_t count, const int64_t *pairs);
/* The value of one member of each group, by its number. */
struct value *collective_broadcast_along(struct partitioner *p, struct builder *b,
                                         struct value *value, const struct axis_list *axes,
                                         int64_t source);

/* `size` times the index of this partition's shard along a dimension that `axes` shard: an s64
 * scalar. Equal offsets are one value, at the beginning of the builder's block. */
struct value *collective_shard_offset(struct partitioner *p, struct builder *b,
                                      const struct axis_list *axes, int64_t size);
/* The same for the size 1: the index. */
struct value *collective_shard_index(struct partitioner *p, struct builder *b,
                                     const struct axis_list *axes);

#endif
