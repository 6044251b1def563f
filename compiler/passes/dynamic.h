/* dynamic.h: operations whose sizes are operands become those whose sizes are attributes. The
 * types are static (the verifier refuses others), so the result's type says what the operands of
 * dynamic_reshape, dynamic_iota and dynamic_broadcast_in_dim say; the others need constants.
 * Needs: fold has run, so that computed sizes are constants. Errors: UNIMPLEMENTED naming an
 * operation whose sizes are not constant. */
#ifndef GANTRY_COMPILER_PASSES_DYNAMIC_H
#define GANTRY_COMPILER_PASSES_DYNAMIC_H

#include "compiler/ir/ir.h"

struct target;
struct error *dynamic_run(struct module *module, const struct target *target);

#endif
