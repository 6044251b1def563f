/* product_side.h: an operand of a dot_general and the roles of its dimensions. Pure functions of
 * the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_PRODUCT_SIDE_H
#define GANTRY_COMPILER_ANALYSIS_PRODUCT_SIDE_H

#include "compiler/ir/ir.h"

/* An operand of a product, and its batching and contracting dimensions. */
struct product_side {
    struct value *value;
    struct dims batch, contracted;
    int64_t free; /* product of the sizes of all other dimensions */
};

/* Operand 0 or 1 of a dot_general. */
struct product_side product_side_of(const struct op *dot, int which);
/* Whether a dimension is neither batching nor contracting. */
bool product_side_is_free(const struct product_side *side, int64_t dim);
/* These dimensions, in their order, in the arena. */
struct dims product_side_free_dims(struct arena *arena, const struct product_side *side);
/* The dimension of the product that dimension `dim` of operand `which` is; -1: it is contracted. */
int product_side_result_dim(const struct op *dot, int which, int64_t dim);

#endif
