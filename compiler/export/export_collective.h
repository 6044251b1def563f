/* export_collective.h: exports what is particular to collectives in an HLO module: groups, channels
 * and reducers. Call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_COLLECTIVE_H
#define GANTRY_COMPILER_EXPORT_EXPORT_COLLECTIVE_H

#include "base/proto.h"
#include "compiler/program/program.h"

/* Adds to an instruction the fields of a collective at which participants meet, except its shape,
 * operands and computations. Groups are of replicas where a program has one partition; otherwise
 * the collective has a channel, and groups hold flattened ids (use_global_device_ids). */
void export_collective(struct proto *instruction, const struct program *program,
                       const struct collective_spec *spec);

/* Whether one instruction exports all arrays of the collective, as a tuple; for other kinds each
 * array has an instruction of its own. */
bool export_collective_is_variadic(const struct collective_spec *spec);

/* The shape of an operand, and of the instruction's result for it; their dimensions are in `arena`.
 * An all-to-all exchanges parts along its split dimension, so its result has the shape of its
 * operand; where parts move to another dimension, reading the result as a "gantry.view" moves
 * them. */
struct shape export_collective_operand(const struct collective_spec *spec, int index);
struct shape export_collective_result(struct arena *arena, const struct collective_spec *spec,
                                      int index);

/* Adds the computation of an all-reduce's or reduce-scatter's reducer of elements of that type to
 * the module, and returns its id. Ids are counted on from *last_id. */
int64_t export_collective_reducer(struct proto *module, const struct collective_spec *spec,
                                  enum dtype dtype, int64_t *last_id);

#endif
