/* lower_transfer.h: send and recv become steps that transfer an array between the program and its
 * host, and the program lists the channels that they use. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_TRANSFER_H
#define GANTRY_COMPILER_LOWER_LOWER_TRANSFER_H

#include "compiler/lower/lowerer.h"

/* Of a send or recv. UNIMPLEMENTED for transfers between devices, or of several arrays. */
struct error *lower_transfer(struct lowerer *l, const struct op *op, struct step *out);

/* When all steps are made: the program's channels, each once, sorted by id. */
void lower_transfer_finish(struct lowerer *l, struct program *program);

#endif
