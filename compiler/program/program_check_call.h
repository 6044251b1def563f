/* program_check_call.h: the part of program_check.h for custom calls. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_CALL_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_CALL_H

#include "compiler/program/program.h"

/* Whether the call's values fit the step's slices, its attributes are well-formed, and it meets no
 * participants or all of them. */
bool program_check_call(const struct program *program, const struct step *step);

#endif
