/* dot_operand.h: the operands of a dot_general by number: 0 is the left one. */
#ifndef GANTRY_COMPILER_PASSES_REWRITE_DOT_OPERAND_H
#define GANTRY_COMPILER_PASSES_REWRITE_DOT_OPERAND_H

#include "compiler/ir/ir.h"

/* An operand's batching dimensions, or its contracting ones. */
struct dims *dot_operand_dims(struct op *dot, int which, bool batch);
/* Transposes an operand to the order batching, free, contracting dimensions. */
void dot_operand_transpose(struct module *module, struct op *dot, int which);

#endif
