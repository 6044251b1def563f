/* result_donors.h: which results of a program take the memory of arguments. */
#ifndef GANTRY_COMPILER_ANALYSIS_RESULT_DONORS_H
#define GANTRY_COMPILER_ANALYSIS_RESULT_DONORS_H

#include "compiler/ir/ir.h"

/* For each result of the entry the argument whose memory it takes, or -1; in the arena. These are
 * the pairs that the client names (tf.aliasing_output), then, in order, donated arguments
 * (jax.buffer_donor) with results of the same type. Linear. */
const int *result_donors(struct arena *arena, const struct func *entry);

#endif
