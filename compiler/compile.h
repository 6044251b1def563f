/* compile.h: the compiler's only entry point: program bytes and options in, a program for a device
 * out. Thread-safe: every call has its own arena. The work is done on a compile thread with a 16
 * MiB stack. */
#ifndef GANTRY_COMPILER_COMPILE_H
#define GANTRY_COMPILER_COMPILE_H

#include "base/error.h"
#include "compiler/compile_source.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

/* *out is owned by the caller (program_release). Errors: INVALID_ARGUMENT for bytes or programs
 * that are wrong, UNIMPLEMENTED for what is unsupported, naming operation and location;
 * RESOURCE_EXHAUSTED. */
struct error *compile(const struct compile_source *source /*borrowed for the call*/,
                      const struct target *target /*borrowed; static*/, struct program **out);

#endif
