/* partition.h: makes a module that computes with whole tensors the program of one partition: every
 * tensor becomes a shard, by the shardings that propagation has set on the types, and collectives
 * exchange what operations need of other partitions. Requires the state FLAT and shardings on the
 * module's mesh (spmd_mesh.h). Afterwards no value's type has a sharding; the declared types of the
 * entry function are those of shards and keep theirs, which clients ask for. Does nothing to a
 * module of one partition, except to remove operations that only concern partitioning.
 *
 * Time and memory are linear in the module, times the squares of axes and rank. Errors:
 * INVALID_ARGUMENT and INTERNAL of the verifier, with operation and location. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PARTITION_H
#define GANTRY_COMPILER_PASSES_SPMD_PARTITION_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *spmd_partition_run(struct module *module, const struct target *target);

#endif
