/* compile_source.h: a program as a client passes it to the compiler, and reading it into the IR. */
#ifndef GANTRY_COMPILER_COMPILE_SOURCE_H
#define GANTRY_COMPILER_COMPILE_SOURCE_H

#include "base/arena.h"
#include "base/error.h"

struct module;

struct compile_source {
    const char *format; /* "mlir" (bytecode or text) or "hlo" */
    size_t format_size;
    const void *bytes;
    size_t size;
    const void *options; /* serialized CompileOptionsProto; may be empty */
    size_t options_size;
};

/* Replaces what *source points to by copies in the arena. */
void compile_source_copy(struct arena *arena, struct compile_source *source);

/* Reads and verifies; the module is in `arena` and refers to the source's bytes. Quantized values
 * are replaced by what is stored. INVALID_ARGUMENT for malformed programs and other formats,
 * UNIMPLEMENTED for what is unsupported. */
struct error *compile_source_read(struct arena *arena, const struct compile_source *source,
                                  struct module **out);

#endif
