/* reducer.c: see reducer.h. */
#include "compiler/analysis/reducer.h"

static bool is_of_one_array(const struct op *op)
{
    return op->code == OP_scatter                                  ? op->operand_count == 3
           : op->code == OP_reduce || op->code == OP_reduce_window ? op->operand_count == 2
                                                                   : false;
}

enum op_code reducer_of(const struct op *op)
{
    if (!is_of_one_array(op))
        return OP_INVALID_CODE;
    const struct block *body = op->regions[0];
    const struct op *only = body->first;
    bool is_one = only->next == body->last && only->operand_count == 2 &&
                  body->last->operands[0] == &only->results[0];
    bool is_of_both = is_one && only->operands[0] != only->operands[1] &&
                      only->operands[0]->block == body && !only->operands[0]->def &&
                      only->operands[1]->block == body && !only->operands[1]->def;
    return is_of_both ? only->code : OP_INVALID_CODE;
}

enum op_code reducer_of_sum_or_extremum(const struct op *op)
{
    enum op_code code = reducer_of(op);
    return code == OP_add || code == OP_maximum || code == OP_minimum ? code : OP_INVALID_CODE;
}

enum dtype reducer_dtype_of_sums(enum dtype dtype)
{
    return dtype_is_float(dtype) && dtype_info(dtype)->bits < 32 ? DTYPE_F32 : dtype;
}
