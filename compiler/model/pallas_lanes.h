/* pallas_lanes.h: which vectors of a Pallas kernel have equal values in all lanes of a register:
 * results of reductions over lanes and what is computed of them. To broadcast these along lanes
 * takes no instruction. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_LANES_H
#define GANTRY_COMPILER_MODEL_PALLAS_LANES_H

#include "compiler/kernel_ir/kernel_ir.h"

/* By the id of the value; in the arena. Linear in the size of the kernel. */
const bool *pallas_lanes_equal(struct arena *arena, const struct kernel *kernel);

/* Whether a reduction is over this dimension of its operand. */
bool pallas_lanes_reduces(const struct kernel_op *op, int dimension);

#endif
