/* cse.h: of equal pure operations one is kept, the first in program order that dominates. Values
 * of outer blocks replace inner ones, but for constants and iotas, which stay with their region:
 * there they cost nothing, while a capture does. Collectives, and operations with large regions,
 * are left alone. */
#ifndef GANTRY_COMPILER_PASSES_CSE_H
#define GANTRY_COMPILER_PASSES_CSE_H

#include "compiler/ir/ir.h"

struct target;
struct error *cse_run(struct module *module, const struct target *target);

#endif
