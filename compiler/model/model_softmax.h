/* model_softmax.h: softmax over the result of a product. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_SOFTMAX_H
#define GANTRY_COMPILER_MODEL_MODEL_SOFTMAX_H

#include "compiler/model/model_graph.h"

/* If `op` is the exponential of a softmax whose rows a kernel has room for, but not for the product
 * before it, too: the softmax is one kernel, which reads the product and writes the exponentials.
 * Marks what is stored for that. Its operands have their notes. */
void model_softmax_keep(const struct op *op);

/* Whether `op` is the exponential of a softmax whose rows are too long for one kernel with the
 * product before it: then scores and exponentials are both stored. */
bool model_softmax_is_long(const struct op *op);

#endif
