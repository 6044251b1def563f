/* model_join.h: where the ways from a value to all its users meet again: x * sigmoid(x), and its
 * derivative, use a product's result several times, but one operation ends them all, so that one
 * kernel computes them. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_JOIN_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_JOIN_H

#include "compiler/ir/ir.h"

/* The operation on which all ways from the value lead, over operations of its block that compute
 * each element from one of the value's; NULL: there is none near. `index_of` is the position of an
 * operation in the block. */
const struct op *model_join(const struct value *value, int (*index_of)(const struct op *op));

#endif
