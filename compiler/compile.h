/* compile.h: the compiler's only entry point: compiles program bytes and options to a program for a
 * device. Thread-safe: every call has its own arena and runs on its own thread with a stack of 16
 * MiB. */
#ifndef GANTRY_COMPILER_COMPILE_H
#define GANTRY_COMPILER_COMPILE_H

#include "base/error.h"
#include "compiler/driver/compile_source.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

/* *out is owned by the caller (program_release). Errors: INVALID_ARGUMENT for malformed bytes,
 * invalid programs and those that need more devices than there are, UNIMPLEMENTED for unsupported
 * operations and types, both with operation and location; RESOURCE_EXHAUSTED; CANCELLED when the
 * client is interrupted. */
struct error *compile(const struct compile_source *source /*borrowed for the call*/,
                      const struct target *target /*borrowed; static*/, struct program **out);

/* INVALID_ARGUMENT when GANTRY_DUMP names an unknown pass, or a folder that cannot be written to
 * (dump.h). Thread-safe. */
struct error *compile_check_dump(void);

/* The names of the pipeline's passes and stages, as GANTRY_DUMP knows them, in order; some are
 * there several times. Returns how many there are; writes at most `capacity`. Static strings. */
size_t compile_passes(const char **names, size_t capacity);

#endif
