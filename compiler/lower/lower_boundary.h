/* lower_boundary.h: the parameters and results of a program: their shapes as declared, which
 * parameters are donated, and which result takes the memory of which parameter. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_BOUNDARY_H
#define GANTRY_COMPILER_LOWER_LOWER_BOUNDARY_H

#include "compiler/lower/lowerer.h"

/* Sets the parameters and results of `program`, in the arena. */
void lower_boundary(const struct lowerer *l, struct program *program);

#endif
