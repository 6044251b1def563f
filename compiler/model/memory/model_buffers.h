/* model_buffers.h: which stored values share a buffer, and from when to when each is in use. */
#ifndef GANTRY_COMPILER_MODEL_MEMORY_MODEL_BUFFERS_H
#define GANTRY_COMPILER_MODEL_MEMORY_MODEL_BUFFERS_H

#include "compiler/model/model_graph.h"

/* Sets the positions of groups, and model->buffers with all fields but `offset` and `in_vmem`.
 * Updates in place, what a loop carries, elementwise operations on values that are not read later,
 * and results that take arguments' places share buffers. */
void model_buffers(struct model *model);

/* Lets kernels that compute element by element write over operands in HBM that they read last.
 * model_vmem() has run, which looks at each value alone. */
void model_buffers_in_place(struct model *model);

#endif
