/* lower_kernel.h: a fusion becomes a step that calls a kernel. Equal fusions (signature.h) share a
 * kernel. Its tier (codegen.h) depends on the cost of the fusion, unless GANTRY_TIER is set. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_KERNEL_H
#define GANTRY_COMPILER_LOWER_LOWER_KERNEL_H

#include "compiler/lower/lowerer.h"

/* The step of any fusion but FUSION_DOT. Its work and grain are set by lower_partition(). */
struct step lower_kernel(struct lowerer *l, struct op *fusion);

/* When all steps are made: the kernels' names in the program, and the request to compile them. */
void lower_kernel_finish(struct lowerer *l, struct program *program,
                         struct codegen_request *request);

#endif
