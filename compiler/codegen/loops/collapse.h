/* collapse.h: two dimensions of an expression as one. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_CODEGEN_LOOPS_COLLAPSE_H
#define GANTRY_COMPILER_CODEGEN_LOOPS_COLLAPSE_H

#include "compiler/ir/ir.h"

/* Whether dimensions `dim` and `dim` + 1 of a value can be collapsed into one: every access in the
 * expression treats them as contiguous, so that index (0, i * size + j) means (i, j). */
bool collapse_fits(const struct value *value, int dim);
/* The operand's dimension that dimension `dim` of a reshape's result is; -1: the reshape changes
 * more than dimensions of size 1, or `dim` is one. */
int collapse_reshaped_dim(const struct op *reshape, int dim);

#endif
