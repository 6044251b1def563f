/* collective.h: questions about collectives: which participants meet, and how a region combines
 * elements. A participant is a logical id: replica * num_partitions + partition. Results are
 * allocated in the module's arena. */
#ifndef GANTRY_COMPILER_ANALYSIS_COLLECTIVE_H
#define GANTRY_COMPILER_ANALYSIS_COLLECTIVE_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* The groups of a collective, or of a send or recv between devices, in all of StableHLO's modes
 * (cross_replica, cross_partition, cross_replica_and_partition, flattened ids), as participants.
 * Sources are set: the groups of a collective_permute, send or recv are the connected components of
 * its pairs, and participants that neither send nor receive are in no group; a collective_broadcast
 * sends from each group's first member; members of other collectives receive from themselves.
 * INVALID_ARGUMENT, naming the operation, when a group lists a number that is not a replica,
 * partition or participant of the module, when groups overlap, and when an operation other than a
 * permute, broadcast or collective_reduce omits one. Operations with equal lists share the arrays
 * of `*out`, which must not be written: memory grows with the different lists of the module, not
 * with its operations. */
struct error *collective_groups(struct module *module, const struct op *op,
                                struct program_groups *out);

/* The number of members that all groups have, or 0 if that differs. */
int collective_group_size(const struct program_groups *groups);

/* Whether the region of an all_reduce or reduce_scatter is just one operation of its two arguments
 * that a reducer stands for. */
bool collective_reducer(const struct block *region, enum collective_reducer *out);

#endif
