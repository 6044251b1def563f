/* dce.h: what nothing uses goes: operations without side effects, values that a loop carries but
 * is never read, results of branches. A value that a loop carries unchanged becomes a captured
 * one. */
#ifndef GANTRY_COMPILER_PASSES_DCE_H
#define GANTRY_COMPILER_PASSES_DCE_H

#include "compiler/ir/ir.h"

struct target;
struct error *dce_run(struct module *module, const struct target *target);

#endif
