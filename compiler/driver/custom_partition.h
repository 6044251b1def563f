/* custom_partition.h: custom calls that the client partitions itself (custom_partitioner.h). A pass
 * between propagation and partitioning, at the top of the compiler, because what the client returns
 * is a program that must be read. */
#ifndef GANTRY_COMPILER_DRIVER_CUSTOM_PARTITION_H
#define GANTRY_COMPILER_DRIVER_CUSTOM_PARTITION_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Replaces each custom call of the entry function that has a partitioner by what it returns for the
 * shardings that propagation has found: a manual computation over all axes, which the partitioner
 * reshards the operands for. Calls that inspect a sharding are answered and removed. A module of
 * one partition keeps calls that are to be partitioned.
 *
 * The client's functions run on the thread that called the compiler. Errors: theirs, with the
 * operation; those of the frontends and of the passes that make the program flat;
 * INVALID_ARGUMENT for a program that does not have the operands and results of the call's shards;
 * UNIMPLEMENTED for shardings that are not even, and for a call inside a manual computation. */
struct error *custom_partition_run(struct module *module, const struct target *target);

#endif
