/* small_systems.h: replaces LAPACK's factorizations and triangular solves of small real matrices by
 * operations that generated code supports. A call of the library takes many times as long as their
 * arithmetic; as kernels they are part of small loops (fusion/outline.h). The transposes around the
 * library's column-major matrices then cancel. Requires canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_EXPAND_SMALL_SYSTEMS_H
#define GANTRY_COMPILER_PASSES_EXPAND_SMALL_SYSTEMS_H

#include "compiler/ir/ir.h"

struct target;
struct error *small_systems_run(struct module *module, const struct target *target);

#endif
