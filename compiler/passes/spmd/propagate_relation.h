/* propagate_relation.h: one step of sharding propagation. A *relation* says that dimensions of some
 * values share factors (sharding_rules.h): an operation, or an edge along which a value flows. A
 * visit compares the axes that shard each factor in each value, and adds axes to the values that
 * can take them. Axes are only added, so propagation ends. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_RELATION_H
#define GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_RELATION_H

#include "compiler/ir/sharding_rules.h"
#include "compiler/passes/spmd/tiling.h"

/* One sharding: that of a value, or of several that must be sharded alike, as the result and the
 * body's argument of a loop. */
struct sharded {
    const int64_t *sizes;
    int64_t elements;
    struct tiling *tiling;
    uint32_t used;      /* the axes of the tiling, unreduced ones included */
    uint32_t forbidden; /* axes that open dimensions must not get */
    uint32_t manual;    /* axes along which each device has a value of its own */
    /* Of each dimension, the priority of the user's annotation; NULL: all are 0. A dimension takes
     * part from the round of its priority on. */
    const int64_t *priorities;
    struct related *relations;     /* in which it is a member; the last one first */
    bool is_changed;               /* by a visit, since whoever looks at this has cleared it */
    const struct sharding *result; /* made when propagation ends */
};

struct related {
    struct relation *relation;
    struct related *next;
};

/* Which directions axes take through an operation, by the round of operation priority. */
enum relation_kind {
    RELATION_ALIKE, /* element by element, reshapes, transposes, data flow: both, from round 0 */
    RELATION_SLICE, /* dynamic slices and updates: forward from round 0, both from round 1 */
    RELATION_BROADCAST, /* backward in round 1, both in round 2 */
    RELATION_OTHER      /* both from round 1 */
};
/* Factors that are no FACTOR_PASS take part in round 2, but for RELATION_ALIKE. */
enum { RELATION_ROUNDS = 3 };

struct relation {
    int member_count, operand_count; /* members: operands, then results */
    struct sharded **members;        /* NULL: not a tensor */
    const struct factor_dims *dims;  /* one for each member */
    const struct factor *factors;
    int factor_count;
    /* Manual axes of the members: never propagated. Those of a full value, which come first in its
     * dimensions, do not count when it is compared with the local value. */
    uint32_t manual;
    enum relation_kind kind;
    const struct op *op; /* NULL: an edge along which a value flows */
    int visits;          /* counted where they could take long */
    bool is_queued;
    bool is_boundary; /* of a function's result and the value that is returned */
};

/* Scratch memory and settings of visits. */
struct propagate_visit;
struct propagate_visit *propagate_visit_create(struct arena *arena, const struct device_grid *grid);
/* Dimensions of greater priority do not take part. Initially 0. */
void propagate_visit_set_priority(struct propagate_visit *visit, int64_t priority);
/* The round of operation priority, 0 to RELATION_ROUNDS - 1. Initially 0. */
void propagate_visit_set_round(struct propagate_visit *visit, int round);

/* Visits the relation once, in time linear in its dimensions and the sorting of its factors. Where
 * factors want the same axis in a member, the factor with more shards gets it, then that of the
 * larger value, then that of the first member. Sets is_changed of members
 * that get axes. Deterministic. */
void propagate_visit_run(struct propagate_visit *visit, struct relation *relation);
/* Whether the last visit changed members. */
bool propagate_visit_changed(const struct propagate_visit *visit);

#endif
