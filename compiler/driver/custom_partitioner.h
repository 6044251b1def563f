/* custom_partitioner.h: functions by which clients partition custom calls of their own. They are
 * registered for the whole process, by the name of the call (PJRT's CustomPartitioner extension).
 * Thread-safe. */
#ifndef GANTRY_COMPILER_DRIVER_CUSTOM_PARTITIONER_H
#define GANTRY_COMPILER_DRIVER_CUSTOM_PARTITIONER_H

#include <stdatomic.h>

#include "base/arena.h"
#include "compiler/ir/ir.h"

/* An operand, or the results; several results are a tuple. */
struct partitioned_value {
    struct string shape;    /* of the whole: a serialized ShapeProto */
    struct string sharding; /* a serialized OpSharding */
};

struct partition_question {
    struct string backend_config; /* of the call */
    size_t operand_count;
    const struct partitioned_value *operands;
    struct partitioned_value result;
};

struct partition_answer {  /* all is in the arena, or lives as long */
    struct string program; /* on shards: MLIR; its main has the call's operands and results */
    const struct string *operands; /* the sharding that each operand must have */
    struct string result;          /* the sharding of the results */
};

/* One implementation has the first two functions, or the third. They are called on a compile
 * thread, inside arena_run(), and return the error that the client's function reports. */
struct custom_partitioner {
    /* Returns the call's computation for one shard. */
    struct error *(*partition)(struct custom_partitioner *self, struct arena *arena,
                               const struct partition_question *question,
                               struct partition_answer *out);
    /* Sets *out to the sharding of the results that those of the operands suggest; NULL data: none.
     */
    struct error *(*infer)(struct custom_partitioner *self, struct arena *arena,
                           const struct partition_question *question, struct string *out);
    /* Reports the sharding of a value, a serialized OpSharding, to the client; the call computes
     * nothing. */
    struct error *(*inspect)(struct custom_partitioner *self, struct arena *arena,
                             struct string backend_config, struct string sharding);
    /* Called by custom_partitioner_register() only: clients may hold locks of their own then. */
    void (*destroy)(struct custom_partitioner *self);
    atomic_int uses;                 /* compiles that use it */
    struct custom_partitioner *next; /* of those that have been replaced */
};

/* Registers a partitioner, which the registry owns unless this fails. It replaces the one of
 * the same name, which is freed when no compile uses it, at the latest by the next
 * registration. INVALID_ARGUMENT for a name that is empty or longer than 4,096 bytes;
 * RESOURCE_EXHAUSTED. */
struct error *custom_partitioner_register(const char *name, size_t size,
                                          struct custom_partitioner *owned);

/* The partitioner of that name, to be given back with custom_partitioner_release(); NULL: none. */
struct custom_partitioner *custom_partitioner_find(struct string name);
void custom_partitioner_release(struct custom_partitioner *partitioner /*NULL: does nothing*/);

#endif
