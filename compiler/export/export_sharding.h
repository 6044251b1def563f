/* export_sharding.h: exports shardings as OpSharding of xla_data.proto, iotas in their compact
 * form. Call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_SHARDING_H
#define GANTRY_COMPILER_EXPORT_EXPORT_SHARDING_H

#include "base/proto.h"
#include "compiler/ir/sharding_tiles.h"
#include "compiler/program/program.h"

/* Adds the fields of an OpSharding, which is no tuple. */
void export_sharding_tiles(struct proto *to, const struct sharding_tiles *tiles);

/* Adds the shardings of a program's results, a tuple unless there is one, and of each of its
 * parameters. The tuple of no results has one element, as in XLA: replicated. Adds nothing for a
 * program of one partition, or when one of them has no sharding. */
void export_sharding_results(struct proto *to, int field, const struct program *program);
void export_sharding_parameters(struct proto *to, int field, const struct program *program);

#endif
