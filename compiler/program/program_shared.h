/* program_shared.h: results that are equal on all devices of a program, so that devices with common
 * memory can hold them once. Thread-safe. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_SHARED_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_SHARED_H

#include "compiler/program/program.h"

/* Sets out[i] for each result: whether one collective of all participants, an all_reduce or an
 * all_gather that is executed once, writes all of it, no other step uses its memory, and it never
 * takes over a parameter's. Linear in the program's size. RESOURCE_EXHAUSTED. */
struct error *program_shared_results(const struct program *program, bool *out);

#endif
