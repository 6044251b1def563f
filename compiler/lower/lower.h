/* lower.h: lowers a module whose buffers are assigned to the steps of a program, just before code
 * generation. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_H
#define GANTRY_COMPILER_LOWER_LOWER_H

#include "compiler/codegen_library.h"
#include "compiler/plan/buffer_plan.h"

struct lowered {
    struct program program; /* all pointers into the arena; no code yet */
    /* a kernel for every distinct fusion; code generation sets its `work` (lower_partition.h) */
    struct codegen_request request;
    /* points to the arena's pointer to program.constants, heap memory aligned to 64; the caller
     * that sets that pointer to NULL owns the memory */
    void **constants;
};

/* Kernels are numbered in the order of the program; fusions that are equal but for constants share
 * one (kernel_merge.h). Errors: UNIMPLEMENTED naming an operation that has no step;
 * RESOURCE_EXHAUSTED when there is no memory for the constants. */
struct error *lower_module(struct module *module, const struct target *target,
                           const struct buffer_plan *plan, struct lowered *out);

#endif
