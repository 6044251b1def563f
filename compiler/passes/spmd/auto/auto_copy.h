/* auto_copy.h: a copy of a module, on which a plan can be tried. */
#ifndef GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_COPY_H
#define GANTRY_COMPILER_PASSES_SPMD_AUTO_AUTO_COPY_H

#include "compiler/ir/ir.h"

/* Copies a module that is flat: its entry function alone. The copy is in `arena`, and borrows
 * attributes, types and literals, which are immutable. Linear. */
struct module *auto_copy_make(struct arena *arena, const struct module *module);

#endif
