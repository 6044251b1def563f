/* program_check_offset.h: checks where slices are stored, and how indices move them (struct
 * slice_offset). Pure functions, thread-safe. Internal to program_check. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_OFFSET_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_OFFSET_H

#include "compiler/program/program.h"

/* Whether a slice is inside its allocation. */
bool program_check_slice(const struct program *program, const struct slice *slice);

/* Whether the step's kind may have its offsets, and its slices, which are inside their allocations,
 * stay there at every index. */
bool program_check_offsets(const struct program *program, const struct step *step);

#endif
