/* lower_transfer.h: lowers send and recv to steps that transfer an array between the program and
 * the host, and lists the channels that they use. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_TRANSFER_H
#define GANTRY_COMPILER_LOWER_LOWER_TRANSFER_H

#include "compiler/lower/lowerer.h"

/* Lowers a send or recv with the host. UNIMPLEMENTED for transfers of several arrays. */
struct error *lower_transfer(struct lowerer *l, const struct op *op, struct step *out);

/* Call after all steps are created: sets the program's channels, each once, sorted by id. */
void lower_transfer_finish(struct lowerer *l, struct program *program);

#endif
