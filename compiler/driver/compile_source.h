/* compile_source.h: a program as a client passes it to the compiler; reads it into the IR. */
#ifndef GANTRY_COMPILER_DRIVER_COMPILE_SOURCE_H
#define GANTRY_COMPILER_DRIVER_COMPILE_SOURCE_H

#include "base/arena.h"
#include "base/error.h"

struct module;
struct module_outline;
struct auto_plan;

struct compile_source {
    const char *format; /* "mlir" (bytecode or text) or "hlo" */
    size_t format_size;
    const void *bytes;
    size_t size;
    const void *options; /* serialized CompileOptionsProto; may be empty */
    size_t options_size;
    const char *function; /* the function to compile; NULL: main */
    /* The types of the function's arguments, "3x4xf32,s32": the sizes of a program that leaves some
     * open. NULL: not given */
    const char *argument_shapes;
    int64_t operation_limit; /* of the program with its calls inlined; 0: none */
    int device_count;        /* that there are; 0: unknown, the program may need any number */
    struct module_outline *outline; /* (optional) out: of the program as it was read, when it is
                                     * compiled (analysis/module_outline.h) */
    /* (optional) out: how shardings were chosen (program/auto_plan.h), if they were */
    struct auto_plan *auto_plan;
};

/* Replaces the memory that *source points to by copies in the arena. */
void compile_source_copy(struct arena *arena, struct compile_source *source);

/* Reads and verifies a program; the module is in `arena` and borrows the source's bytes. Quantized
 * types are replaced by their storage types, unknown sizes by those that follow from the arguments
 * (passes/dynamic/refine.h). INVALID_ARGUMENT for malformed programs, unknown formats and
 * functions, and sizes that the program refuses; UNIMPLEMENTED for unsupported operations and
 * types. */
struct error *compile_source_read(struct arena *arena, const struct compile_source *source,
                                  struct module **out);

/* Reads a program without verifying it or requiring source->function: for questions about the
 * functions that it has. Errors: as above. */
struct error *compile_source_read_functions(struct arena *arena,
                                            const struct compile_source *source,
                                            struct module **out);

#endif
