/* auto_answer.h: one way to shard a whole program: for each axis of the mesh an order of classes of
 * dimensions (auto_classes.h). Along an axis each value is sharded by the first class of the order
 * that it has and that can take the axis. So
 *
 *   x: batch                    is data parallelism along x
 *   x: batch, features          with parameters and their gradients sharded along x, too (FSDP)
 *   y: heads, hidden            is tensor parallelism along y
 *   y: heads, hidden, sequence  with the residual stream sharded by the sequence
 *
 * and an empty order replicates along the axis. Every value has a sharding then; propagation has
 * nothing to decide. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_ANSWER_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_ANSWER_H

#include "compiler/ir/sharding.h"
#include "compiler/passes/spmd/auto/auto_classes.h"
#include "compiler/passes/spmd/auto/auto_placement.h"
#include "compiler/passes/spmd/auto/auto_savings.h"

enum { AUTO_ORDER = 12 }; /* classes of an order at most */

struct auto_order {
    int count;
    int16_t at[AUTO_ORDER];
};

struct auto_answer {
    struct auto_order orders[AUTO_MAX_AXES];
    bool is_sparse; /* only arguments and results get shardings; propagation finds the others */
    /* Not NULL: of each value, instead of the orders. In the arena of the classes. */
    const struct auto_placement *placements;
    const struct auto_savings *savings; /* NULL: none. In the same arena. */
};

/* Of value number `index`. */
struct auto_placement auto_answer_place(const struct auto_classes *classes, const struct mesh *mesh,
                                        const struct auto_answer *answer, int index);

/* How many shards it has. */
double auto_answer_shards(const struct auto_classes *classes, const struct mesh *mesh,
                          const struct auto_answer *answer, int index);

bool auto_answer_equal(const struct auto_answer *a, const struct auto_answer *b, int axes);
int auto_answer_position(const struct auto_order *order, int class); /* -1: not in it */
/* Inserts a class in front of position `at`; false if the order is full or has it. */
bool auto_answer_insert(struct auto_order *order, int at, int class);
void auto_answer_remove(struct auto_order *order, int at);
/* Appends a class to the orders of the axes in a set, a bit each. */
void auto_answer_append(struct auto_answer *answer, unsigned axes, int class);

/* A hash of the shardings of all values and of the savings: answers that differ in nothing have
 * equal ones. */
uint64_t auto_answer_digest(const struct auto_classes *classes, const struct mesh *mesh,
                            const struct auto_answer *answer);

/* Sets the shardings of the module's types, closed, except those that the client gave; then writes
 * the savings. `module`: the one of the classes, or a copy of it (auto_copy.h). */
void auto_answer_apply(const struct auto_classes *classes, const struct mesh *mesh,
                       const struct auto_answer *answer, struct module *module);

#endif
