/* lower_collective.h: lowers collectives and the ids of participants to steps, and lists the groups
 * that meet. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_COLLECTIVE_H
#define GANTRY_COMPILER_LOWER_LOWER_COLLECTIVE_H

#include "compiler/lower/lowerer.h"

/* Lowers a collective, partition_id or replica_id that passes/canonicalize left, or a send or recv
 * between devices. Equal groups share a table. UNIMPLEMENTED for a reducer that canonicalize could
 * not express. */
struct error *lower_collective(struct lowerer *l, const struct op *op, struct step *out);

/* Where all participants meet at a custom call: sets its groups and its number. */
void lower_collective_meet(struct lowerer *l, struct call_spec *call);

/* Call after all steps are created: sets the program's groups and the number of its collectives.
 * INVALID_ARGUMENT for a send between devices that no recv receives, or the reverse. */
struct error *lower_collective_finish(struct lowerer *l, struct program *program);

#endif
