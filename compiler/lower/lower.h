/* lower.h: lowers a module whose buffers are assigned to the steps of a program, just before code
 * generation. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_H
#define GANTRY_COMPILER_LOWER_LOWER_H

#include "compiler/codegen_library.h"
#include "compiler/passes/buffer/buffer_assign.h"

struct lowered {
    struct program program; /* all pointers into the arena; no code yet */
    /* a kernel for every distinct fusion; code generation sets its `work` (lower_partition.h) */
    struct codegen_request request;
    void **constants; /* where the arena keeps program.constants (buffer_assign.h) */
};

/* Kernels are numbered in the order of the program; equal fusions share one. Errors:
 * UNIMPLEMENTED naming an operation that has no step. */
struct error *lower_module(struct module *module, const struct target *target,
                           const struct buffer_plan *plan, struct lowered *out);

#endif
