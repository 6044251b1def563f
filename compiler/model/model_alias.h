/* model_alias.h: which results take arguments' memory. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_ALIAS_H
#define GANTRY_COMPILER_MODEL_MODEL_ALIAS_H

#include "compiler/model/model_graph.h"

/* For each result of the entry the argument whose memory it takes, or -1; in the arena. These are
 * the client's pairs, then, in order, arguments that the client gives up for any result, with
 * results of the same type. */
const int *model_alias(struct arena *arena, const struct func *entry);

#endif
