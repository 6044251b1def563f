/* layout.h: brings the operands of library steps into layouts that a specification can describe
 * (analysis/library_spec.h). So most transposes around products vanish: one before a product is
 * read through, one after it becomes part of it (a FUSION_DOT: dot_general, then transpose). Where
 * no specification describes the dimensions, a transpose is inserted (which fusion may join with
 * what computes the operand). Products and convolutions of types that the libraries refuse on this
 * processor are widened first (library_step.h). Needs: canonical operations. */
#ifndef GANTRY_COMPILER_PASSES_LAYOUT_H
#define GANTRY_COMPILER_PASSES_LAYOUT_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

struct error *layout_run(struct module *module, const struct target *target);

#endif
