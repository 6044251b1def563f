/* spmd_annotations.h: replaces GSPMD's custom calls by the operations of shardings. Their sharding
 * is that of the result's type, which the frontends read from mhlo.sharding or OpSharding.
 *
 *   @Sharding               sharding_constraint; backend_config "unspecified_dims=[0,1]" opens
 *                           dimensions
 *   @SPMDFullToShardShape   full_to_shard with the sharding of its operand, manual along the axes
 *                           that its own sharding adds to the operand's manual ones
 *   @SPMDShardToFullShape   shard_to_full with its own sharding, manual along the axes that the
 *                           operand's sharding has beyond it
 *
 * Manual axes are then removed from all other shardings: within a manual computation values are
 * local along them. {manual} without axes is over all partitions. Programs of one partition are not
 * changed. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SPMD_ANNOTATIONS_H
#define GANTRY_COMPILER_PASSES_SPMD_SPMD_ANNOTATIONS_H

#include "compiler/ir/ir.h"

struct target;
/* INVALID_ARGUMENT for a call without a sharding or with several operands, UNIMPLEMENTED for manual
 * computations over different meshes. */
struct error *spmd_annotations_run(struct module *module, const struct target *target);

#endif
