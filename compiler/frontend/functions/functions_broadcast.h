/* functions_broadcast.h: broadcasts operands of different shapes to a common shape, for the
 * operations broadcast_... of CHLO. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_BROADCAST_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_BROADCAST_H

#include "compiler/ir/build.h"

/* out[i] is operands[i] (a tensor of static shape) broadcast to the common shape. Dimensions of
 * size 1 are expanded. The dimensions of an operand of lower rank correspond to `dims` (NULL: to
 * the last dimensions). INVALID_ARGUMENT when the shapes are incompatible. */
struct error *functions_broadcast(struct builder *b, int count, struct value *const *operands,
                                  const struct dims *dims, struct value **out);

#endif
