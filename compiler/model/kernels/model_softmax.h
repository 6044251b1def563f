/* model_softmax.h: softmax over the result of a product. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_SOFTMAX_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_SOFTMAX_H

#include "compiler/model/model_graph.h"

/* If `op` is the exponential of a softmax over the result of a product, marks which of the product,
 * what follows it, and the exponentials are stored. Its operands have their notes. */
void model_softmax_keep(const struct model *model, const struct op *op);

/* Bytes of the arrays that the kernel of a masked softmax in long rows reads on large matrix units:
 * of its constants and its mask, which the compiler then stores at full size. 0: none. */
uint64_t model_softmax_arrays(const struct model *model, const struct op *op);

/* Whether the value, which several kernels use, is exponentials that are stored, not computed
 * again: used often, or in rows of attention so long that the product is in another kernel. */
bool model_softmax_is_stored(const struct value *value);

#endif
