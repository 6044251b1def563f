/* dynamic.h: rewrites operations whose sizes are operands to operations whose sizes are attributes.
 * Static result types of dynamic_reshape, dynamic_iota and dynamic_broadcast_in_dim determine their
 * sizes; other operations need constant operands. Needs: fold has run, so that computed sizes are
 * constants. Errors: UNIMPLEMENTED for an operation whose sizes are not constant. */
#ifndef GANTRY_COMPILER_PASSES_EXPAND_DYNAMIC_H
#define GANTRY_COMPILER_PASSES_EXPAND_DYNAMIC_H

#include "compiler/ir/ir.h"

struct target;
/* Rewrites one operation, if it is one of these. Its operands are static; its result may have
 * unknown sizes, which then become those of its constant operands. */
struct error *dynamic_make_static(struct module *module, struct op *op,
                                  const struct target *target /*ignored*/);

struct error *dynamic_run(struct module *module, const struct target *target);

#endif
