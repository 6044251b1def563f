/* infer.h: type inference, one function for each entry of the `infer` column of ops.def. Each
 * checks its operation against StableHLO's specification and sets the result types; see
 * op_info.infer in ir.h. */
#ifndef GANTRY_COMPILER_IR_INFER_H
#define GANTRY_COMPILER_IR_INFER_H

#include "compiler/ir/ir.h"

/* Checks the operand and result counts, then runs the function of op's row. */
struct error *infer_op(struct arena *arena, struct op *op);

enum { INFER_LU_MOST = 8 }; /* rows and columns of an OP_lu */

/* Declares infer_<rule>() for every rule in ops.def; repeated declarations are harmless. */
#define OP(name, operands, results, traits, infer, attributes)                                     \
    struct error *infer_##infer(struct arena *arena, struct op *op);
#include "compiler/ir/ops.def"
#undef OP

#endif
