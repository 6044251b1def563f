/* functions_broadcast.h: operands of different shapes broadcast to one, as CHLO's operations with
 * `broadcast_` in their names do before they work element by element. */
#ifndef GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_BROADCAST_H
#define GANTRY_COMPILER_FRONTEND_FUNCTIONS_FUNCTIONS_BROADCAST_H

#include "compiler/ir/build.h"

/* out[i] is operands[i] (tensors of known sizes) with the common shape. Dimensions of size 1
 * stretch. An operand of lower rank has the last dimensions, or those that `dims` names (NULL: not
 * said). INVALID_ARGUMENT when the shapes do not fit. */
struct error *functions_broadcast(struct builder *b, int count, struct value *const *operands,
                                  const struct dims *dims, struct value **out);

#endif
