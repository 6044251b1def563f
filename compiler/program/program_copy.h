/* program_copy.h: moves a program from the arena of a compilation, where lower.c builds it, to the
 * heap. */
#ifndef GANTRY_COMPILER_PROGRAM_PROGRAM_COPY_H
#define GANTRY_COMPILER_PROGRAM_PROGRAM_COPY_H

#include "compiler/program/program.h"

/* Deep copy; *out is owned (program_release). `object` and `constants` are heap memory and are
 * moved out of the draft, even on error. Loaded code and plans are not copied. */
struct error *program_copy(struct program *draft, struct program **out);

#endif
