/* infer.h: the type rules, one function per `infer` column of ops.def. Each checks its operation as
 * StableHLO's specification demands and gives result types; see op_info.infer in ir.h. */
#ifndef GANTRY_COMPILER_IR_INFER_H
#define GANTRY_COMPILER_IR_INFER_H

#include "compiler/ir/ir.h"
#include "compiler/program/fft_tables.h"

/* Runs the rule of op's row, then checks operand and result counts. */
struct error *infer_op(struct arena *arena, struct op *op);

/* The table that an OP_fft_table computes; `dtype` and `count` are those of its result. */
void infer_fft_table_of(const struct op *op, struct fft_table *out);

/* Declares infer_<rule>() for every rule named in ops.def (a rule may be declared many times). */
#define OP(name, operands, results, traits, infer, attributes)                                     \
    struct error *infer_##infer(struct arena *arena, struct op *op);
#include "compiler/ir/ops.def"
#undef OP

#endif
