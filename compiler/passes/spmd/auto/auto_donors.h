/* auto_donors.h: which donated arguments the results of a program replace. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_DONORS_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_DONORS_H

#include "compiler/ir/ir.h"

/* The argument whose memory each result takes; -1: none. The one that the client names
 * (tf.aliasing_output), else the first donated argument (jax.buffer_donor) of an equal type that no
 * earlier result takes. In the arena. Linear. */
const int *auto_donors_find(struct arena *arena, const struct func *entry);

#endif
