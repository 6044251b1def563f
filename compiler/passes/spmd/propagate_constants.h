/* propagate_constants.h: constants, iotas, broadcast scalars and short expressions of them get a
 * copy for each of their uses, so that sharding one use does not shard another. They cost no
 * communication, and the copies that are sharded alike are merged again after partitioning. Values
 * of sharding groups, and what is computed from them, stay shared. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_CONSTANTS_H
#define GANTRY_COMPILER_PASSES_SPMD_PROPAGATE_CONSTANTS_H

#include "compiler/ir/ir.h"

/* Copies in the entry function and its regions of control flow. The number of copies is linear in
 * the number of operations and within the module's operation limit; uses beyond it stay shared.
 * Changes the notes of operations. */
void propagate_constants_split(struct module *module);

#endif
