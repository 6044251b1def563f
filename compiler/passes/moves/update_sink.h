/* update_sink.h: updates of a part of an array move below the elementwise operations that alone use
 * the result:
 *
 *   f(dynamic_update_slice(x, u, i), y)   dynamic_update_slice(f(x, y), f(u, slice(y)), i)
 *
 * so that the kernel that computes x, or what copied x for the update, computes f as well. Only for
 * parts that are small beside the array, those of its updates together, and for an x that is not
 * stored anyway: after a product, the update is in place, and f may share a kernel with what
 * follows. Leaves dead operations. */
#ifndef GANTRY_COMPILER_PASSES_MOVES_UPDATE_SINK_H
#define GANTRY_COMPILER_PASSES_MOVES_UPDATE_SINK_H

#include "compiler/ir/ir.h"

struct target;
struct error *update_sink_run(struct module *module, const struct target *target);

#endif
