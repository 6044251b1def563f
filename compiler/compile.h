/* compile.h: the compiler's only entry point: program bytes and options in, a program for a device
 * out. Thread-safe: every call has its own arena. The work is done on a compile thread with a 16
 * MiB stack. */
#ifndef GANTRY_COMPILER_COMPILE_H
#define GANTRY_COMPILER_COMPILE_H

#include "base/error.h"
#include "compiler/frontend/compile_options.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

struct module;

struct compile_source {
    const char *format; /* "mlir" (bytecode or text) or "hlo" */
    size_t format_size;
    const void *bytes;
    size_t size;
    const void *options; /* serialized CompileOptionsProto; may be empty */
    size_t options_size;
};

/* *out is owned by the caller (program_release). Errors: INVALID_ARGUMENT for bytes or programs
 * that are wrong, UNIMPLEMENTED for what is unsupported, naming operation and location;
 * RESOURCE_EXHAUSTED. */
struct error *compile(const struct compile_source *source /*borrowed for the call*/,
                      const struct target *target /*borrowed; static*/, struct program **out);

/* Only reads and verifies; the module is stored in `arena`. For tools and tests. */
struct error *compile_read(struct arena *arena, const struct compile_source *source,
                           struct module **out);

#endif
