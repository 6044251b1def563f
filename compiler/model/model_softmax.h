/* model_softmax.h: softmax over the result of a product. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_SOFTMAX_H
#define GANTRY_COMPILER_MODEL_MODEL_SOFTMAX_H

#include "compiler/model/model_graph.h"

/* If `op` is the exponential of a softmax whose rows a kernel has room for, but not for the product
 * before it, too: the softmax is one kernel, which reads the product and writes the exponentials.
 * Marks what is stored for that. Its operands have their notes. */
void model_softmax_keep(const struct op *op);

/* Whether the value, which several kernels use, is exponentials that are stored, not computed
 * again: used often, or in rows of attention so long that the product is in another kernel. */
bool model_softmax_is_stored(const struct value *value);

#endif
