/* export_sharding.h: exports shardings as OpSharding of xla_data.proto, iotas in their compact
 * form. */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_SHARDING_H
#define GANTRY_COMPILER_EXPORT_EXPORT_SHARDING_H

#include "base/proto.h"
#include "compiler/ir/sharding_tiles.h"
#include "compiler/program/program.h"

/* Adds the fields of an OpSharding, which is no tuple. This and the next two: call inside
 * arena_run(). */
void export_sharding_tiles(struct proto *to, const struct sharding_tiles *tiles);

/* Adds the shardings of a program's results, a tuple unless there is one, and of each of its
 * parameters. The tuple of no results has one element, as in XLA: replicated. Adds nothing for a
 * program of one partition, or when one of them has no sharding. */
void export_sharding_results(struct proto *to, int field, const struct program *program);
void export_sharding_parameters(struct proto *to, int field, const struct program *program);

/* Serialized OpShardings, each of its own. */
struct sharding_list {
    size_t count;
    char **shardings; /* owned by the caller, in one allocation with what follows: alloc_free */
    size_t *sizes;    /* of each, bytes; part of that allocation */
};

/* Those of a program's parameters or results, of no results the one that export_sharding_results()
 * adds: JAX's client expects it. shardings is NULL for a program of one partition, or
 * when one of them has no sharding. RESOURCE_EXHAUSTED when there is no memory. Thread-safe. */
struct error *export_sharding_list(const struct program *program, bool of_results,
                                   struct sharding_list *out);

#endif
