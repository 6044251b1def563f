/* program_check_collective.h: the part of program_check.h for collectives. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_COLLECTIVE_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_CHECK_COLLECTIVE_H

#include "compiler/program/program.h"

/* Checks every table of groups: offsets ascend and end at the number of members, members are
 * participants of the program and occur once, sources are positions in the member's group. Errors:
 * INTERNAL, RESOURCE_EXHAUSTED. */
struct error *program_check_groups(const struct program *program);

/* Whether the arrays of a STEP_COLLECTIVE fit its slices, its reducer supports their types, and its
 * groups have the size that it needs; `program` passed program_check_groups(). Does not check that
 * slices are inside their allocations. */
bool program_check_collective(const struct program *program, const struct step *step);

#endif
