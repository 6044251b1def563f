/* send_early.h: a send between devices moves in front of each recv that it does not depend on, with
 * what computes its operands. A recv waits for the other participant's send, so in a program whose
 * participants all receive first, none would send. Receives keep their order, and so do sends. Each
 * block takes time linear in its operations. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_SEND_EARLY_H
#define GANTRY_COMPILER_PASSES_SPMD_SEND_EARLY_H

#include "compiler/ir/ir.h"

struct target;
struct error *send_early_run(struct module *module, const struct target *target);

#endif
