/* fusion_op.h: properties of operations that determine how they are fused. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_OP_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_OP_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* The largest number of elements for which operations that only compute indices are always
 * fused. */
enum { FUSION_OP_SMALL = 4096 };
/* The most operations that a kernel computes for an element, which bounds the size of its code. */
enum { FUSION_OP_CODE = 800 };

enum fusion_role {
    ROLE_STEP,      /* not part of a fusion: library calls, control flow, constants, tokens */
    ROLE_ALIAS,     /* a reshape whose result aliases its operand */
    ROLE_LOOP,      /* a member of a FUSION_LOOP or FUSION_UPDATE */
    ROLE_UPDATE,    /* the root of a FUSION_UPDATE */
    ROLE_STANDALONE /* a FUSION_STANDALONE */
};
enum fusion_role fusion_op_role(const struct op *op, const struct target *target);

/* The number of elements of the first result, at least 1. */
double fusion_op_elements(const struct op *op);
/* Whether the cost per element is negligible, and the operands are smaller than the result or
 * computed of positions, as those of a mask are: such an operation is recomputed by each of its
 * users. */
bool fusion_op_is_free(const struct op *op);
/* Whether recomputing an element costs more than a few arithmetic instructions. */
bool fusion_op_is_expensive(const struct op *op);
/* Whether op is a transpose that moves the innermost dimension, so that adjacent elements of the
 * result are not adjacent in the operand. */
bool fusion_op_is_strided(const struct op *op);
/* Whether so few elements of a strided transpose are read, `times`, that this costs less at
 * computed positions of the operand than to store all of them in their new order. */
bool fusion_op_is_sparse(const struct op *transpose, double times);
/* The size of the innermost dimension *dim whose size is not 1; the first one (-1 of a scalar) if
 * all are. */
int64_t fusion_op_innermost(const struct type *type, int *dim);
/* The same of a reduction's operand; *reduced says whether the reduction is along that
 * dimension. */
int64_t fusion_op_row(const struct op *reduce, bool *reduced);
/* The number of operands that a dynamic_update_slice or scatter updates in place; they come
 * first. */
int fusion_op_updated_count(const struct op *op);

#endif
