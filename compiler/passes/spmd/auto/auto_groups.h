/* auto_groups.h: the values of a program that get one sharding, and the shardings that each may
 * get. Values whose dimensions have the same sizes and classes (auto_classes.h) are one group: what
 * follows each other through elementwise operations, and the same value of each repeated layer. A
 * value that the client has annotated is of a group with that sharding alone. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_GROUPS_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_GROUPS_H

#include "compiler/passes/spmd/auto/auto_answer.h"

enum { AUTO_STRATEGIES = 64 }; /* of a group or an operation */

struct auto_strategies {
    int count;
    const struct auto_placement *at; /* of operations: factors instead of dimensions */
    const int64_t *shards;           /* that each makes */
};

struct auto_group {
    int value; /* the first one */
    struct auto_strategies strategies;
};

struct auto_groups {
    int count;
    const struct auto_group *at;
    const int *of; /* group of each value */
};

/* A dimension, or a factor of an operation, that axes may divide. */
struct auto_divided {
    int64_t size, unit; /* both must be multiples of the number of shards; unit 0: not divided */
};

/* All ways to give each axis of the mesh one of `count` dimensions or none: those with few
 * different dimensions first, and AUTO_STRATEGIES at most. The first one is replicated. */
struct auto_strategies auto_groups_strategies(struct arena *arena, const struct mesh *mesh,
                                              int count, const struct auto_divided *dims);

void auto_groups_find(struct arena *arena, const struct auto_classes *classes,
                      const struct mesh *mesh, struct auto_groups *out);

#endif
