/* codegen_library.h: opens libgantry_codegen.so, in the folder of libgantry.so, on first use and
 * keeps it open. The rest of the compiler calls code generation only through this table. */
#ifndef GANTRY_COMPILER_CODEGEN_LIBRARY_H
#define GANTRY_COMPILER_CODEGEN_LIBRARY_H

#include "compiler/codegen/codegen.h"

struct codegen_library {
    codegen_compile_function *compile;
    codegen_scratch_size_function *scratch_size;
    codegen_load_function *load;
    codegen_unload_function *unload;
};

/* *out is static. Errors: NOT_FOUND with the path and what to do. Thread-safe. */
struct error *codegen_library(const struct codegen_library **out);

/* Links program->object (NULL: does nothing) into memory: sets code, unload, kernels and code_size.
 * The object need not be trusted: INVALID_ARGUMENT when it is malformed or lacks a kernel. */
struct error *codegen_library_load(struct program *program);

#endif
