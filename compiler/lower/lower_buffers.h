/* lower_buffers.h: the memory plan in terms of steps: which temporaries are in use from which step
 * to which. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_BUFFERS_H
#define GANTRY_COMPILER_LOWER_LOWER_BUFFERS_H

#include "compiler/lower/lowerer.h"

/* The walk over the operations is at the next position of the buffer plan. */
void lower_buffers_position(struct lowerer *l);

/* Sets program->buffers, after all steps are lowered. */
struct error *lower_buffers(struct lowerer *l, struct program *program);

#endif
