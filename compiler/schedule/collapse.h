/* collapse.h: two dimensions of an expression as one. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_COLLAPSE_H
#define GANTRY_COMPILER_SCHEDULE_COLLAPSE_H

#include "compiler/ir/ir.h"

/* Whether dimensions `dim` and `dim` + 1 of a value can be collapsed into one: every access in the
 * expression treats them as contiguous, so that index (0, i * size + j) means (i, j). */
bool collapse_fits(const struct value *value, int dim);

#endif
