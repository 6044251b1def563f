/* move_up.h: moves operations that only rename elements up to others that they cancel:
 *
 *   reshape(f(reshape(x), y))           f(x, reshape(y)), if x has the shape of the result
 *   slice(f(concatenate(x, y), z))      f(slice(x), slice(z)), if the slice is of x only; f may
 *                                       contain transposes
 *   slice(dot_general(x, y))            dot_general(slice(x), slice(y)), if nothing else uses the
 *                                       product, which may be transposed, and what this saves takes
 *                                       longer than the slices; those of what is in front of a loop
 *                                       are for free
 *   slice(dynamic_update_slice(x, u))   dynamic_update_slice(slice(x), slice(u)), if nothing else
 *                                       uses the updated array; or slice(x), if no element is of u
 *   transpose(concatenate(x, y))        concatenate'(reshape(x), reshape(y)), if only dimensions
 *                                       of size 1 move in x and y
 *   transpose(f(transpose(x), broadcast(y)))
 *                                       f(x, broadcast'(transpose(y))), if the transposes cancel,
 *                                       as of a function mapped over a dimension and back
 *
 * f stands for a few elementwise operations. Those below a reshape or a transpose have no other
 * users. All that read one below a slice need no more elements together than it has, so that none
 * is computed twice. A reshape that merges dimensions, a concatenation and a transpose would each
 * be an array in memory between two kernels. Each walk is limited to a number of steps. Requires
 * canonical operations; leaves dead ones. */
#ifndef GANTRY_COMPILER_PASSES_MOVES_MOVE_UP_H
#define GANTRY_COMPILER_PASSES_MOVES_MOVE_UP_H

#include "compiler/ir/ir.h"

struct target;
struct error *move_up_run(struct module *module, const struct target *target);

#endif
