/* lower_kernel.h: lowers a fusion to a step that calls a kernel. Fusions that are equal but for
 * constants share a kernel (kernel_merge.h). The kernel's tier (codegen.h) depends on the cost of
 * the fusion and the loops that it is in, unless GANTRY_TIER is set. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_KERNEL_H
#define GANTRY_COMPILER_LOWER_LOWER_KERNEL_H

#include "compiler/lower/lowerer.h"

/* The step of a fusion other than FUSION_DOT. lower_partition() sets its work and grain. */
struct step lower_kernel(struct lowerer *l, struct op *fusion);

/* The tier of the kernel of a fusion, by its cost and how often it is executed. */
int lower_kernel_tier(const struct lowerer *l, const struct op *fusion);

/* Call after all steps are created: sets the names of the program's kernels and the request to
 * compile them. */
void lower_kernel_finish(struct lowerer *l, struct program *program,
                         struct codegen_request *request);

#endif
