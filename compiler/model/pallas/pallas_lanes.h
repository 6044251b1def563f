/* pallas_lanes.h: which vectors of a Pallas kernel have equal values in all lanes of a register:
 * results of reductions over lanes and what is computed of them. To broadcast these along lanes
 * takes no instruction. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_LANES_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_LANES_H

#include "compiler/kernel_ir/kernel_ir.h"

enum pallas_lanes { /* each says more than those before it */
                    PALLAS_LANES_DIFFER,
                    PALLAS_LANES_EQUAL,
                    PALLAS_LANES_CONSTANT /* all elements are one number that the program has */
};

/* By the id of the value; in the arena. Linear in the size of the kernel. */
const enum pallas_lanes *pallas_lanes(struct arena *arena, const struct kernel *kernel);

/* Whether a reduction is over this dimension of its operand. */
bool pallas_lanes_reduces(const struct kernel_op *op, int dimension);

#endif
