/* layout_constraints.h: a result whose layout the compiler may choose, and which is a value under
 * a LayoutConstraint (JAX's with_layout_constraint), is declared to have that layout. Other
 * constraints concern values whose layout clients do not see; later passes remove them. For
 * targets that model an accelerator's layouts; module->entry is flat. No errors. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_LAYOUT_CONSTRAINTS_H
#define GANTRY_COMPILER_PASSES_LAYOUT_LAYOUT_CONSTRAINTS_H

#include "compiler/ir/ir.h"

struct target;
struct error *layout_constraints_run(struct module *module, const struct target *target);

#endif
