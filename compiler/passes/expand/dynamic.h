/* dynamic.h: rewrites operations whose sizes are operands to operations whose sizes are attributes.
 * All types are static (the verifier rejects others), so the result types of dynamic_reshape,
 * dynamic_iota and dynamic_broadcast_in_dim determine their sizes; other operations need constant
 * operands. Needs: fold has run, so that computed sizes are constants. Errors: UNIMPLEMENTED for an
 * operation whose sizes are not constant. */
#ifndef GANTRY_COMPILER_PASSES_EXPAND_DYNAMIC_H
#define GANTRY_COMPILER_PASSES_EXPAND_DYNAMIC_H

#include "compiler/ir/ir.h"

struct target;
struct error *dynamic_run(struct module *module, const struct target *target);

#endif
