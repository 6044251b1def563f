/* model_role.h: what the modeled accelerator's compiler can do with an operation. Pure
 * functions. */
#ifndef GANTRY_COMPILER_MODEL_KERNELS_MODEL_ROLE_H
#define GANTRY_COMPILER_MODEL_KERNELS_MODEL_ROLE_H

#include "compiler/ir/ir.h"

enum model_role {
    MODEL_FREE,    /* made where it is used: constants of one value, iota */
    MODEL_FUSIBLE, /* computed inside of the kernel that uses it */
    MODEL_REDUCE,
    MODEL_PRODUCT, /* dots and convolutions: on the matrix units */
    MODEL_UPDATE,  /* writes into its first operand */
    MODEL_ALIAS,   /* its results are its operands */
    MODEL_CONTROL,
    MODEL_OPAQUE /* a kernel of its own, whose operands and results are in memory */
};

enum model_role model_role(const struct op *op);

/* Whether a kernel can compute operand `i` of the operation instead of reading it. */
bool model_role_absorbs(const struct op *op, int i);

/* Whether the elements of the result are those of operand `i`, each computed from one, perhaps in
 * another order. */
bool model_role_keeps_elements(const struct op *op, int i);

#endif
