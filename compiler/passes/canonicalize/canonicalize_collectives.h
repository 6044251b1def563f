/* canonicalize_collectives.h: collectives and the ids of participants. What remains has a step
 * (lower/lower_collective.h): groups of more than one participant, and reducers that the runtime
 * knows, in element types that it reduces. */
#ifndef GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_COLLECTIVES_H
#define GANTRY_COMPILER_PASSES_CANONICALIZE_CANONICALIZE_COLLECTIVES_H

#include "compiler/ir/ir.h"

/* Rules of canonicalize.c. A collective whose groups have one member each is replaced by its
 * operands; a permute without pairs by zeros. Other reducers than the runtime's move their parts to
 * every participant, which combines them itself. INVALID_ARGUMENT, naming the operation, for groups
 * that do not fit the program (analysis/collective.h) or the types. */
struct error *canonicalize_collectives(struct module *module, struct op *op);
/* partition_id and replica_id: 0 in a program of one, and otherwise one operation at the start of
 * the entry function. */
struct error *canonicalize_collectives_id(struct module *module, struct op *op);

#endif
