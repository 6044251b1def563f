/* program_check_copy.h: the part of program_check.h for copies between memory kinds. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_COPY_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_COPY_H

#include "compiler/program/program.h"

/* Whether the box of a STEP_COPY_START is inside its array, both sides have the bytes that it
 * moves, and there is an index for each dimension. Does not check that slices are inside their
 * allocations. */
bool program_check_copy_box(const struct step *step);
/* Checks that copies are numbered in the order of their starts, and that each has exactly one done
 * step, later in the same list, so no copy is in flight when a list ends. Errors: INTERNAL,
 * RESOURCE_EXHAUSTED. */
struct error *program_check_copy_pairs(const struct program *program);

#endif
