/* fusion_op.h: properties of operations that decide about fusion. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_OP_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_OP_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

enum { FUSION_OP_SMALL = 4096 }; /* elements up to which index arithmetic is never worth a kernel */

enum fusion_role {
    ROLE_STEP,  /* no part of any fusion: library calls, control flow, constants, tokens */
    ROLE_ALIAS, /* reshape that keeps the bytes: another name */
    ROLE_LOOP,
    ROLE_UPDATE,
    ROLE_SINGLE
};
enum fusion_role fusion_op_role(const struct op *op, const struct target *target);

/* Elements of the first result, at least 1. */
double fusion_op_elements(const struct op *op);
/* Costs (nearly) nothing an element and reads less than it gives: computed wherever it is used. */
bool fusion_op_is_free(const struct op *op);
bool fusion_op_is_expensive(const struct op *op);
/* The last dimension of the result is not the last of the operand: neighbours are apart. */
bool fusion_op_is_strided(const struct op *op);
/* How many operands are as large as the result and not made from less. */
int fusion_op_large_operands(const struct op *op);
/* Of an update: how many operands are written in place; they are the first. */
int fusion_op_updated(const struct op *op);

#endif
