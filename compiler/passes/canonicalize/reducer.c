#include "compiler/passes/canonicalize/reducer.h"

enum op_code reducer_of_body(const struct op *reduce)
{
    const struct op *op = reduce->regions[0]->first;
    bool is_one = op && reduce->operand_count == 2 && op->next == reduce->regions[0]->last &&
                  op->operand_count == 2 && !op->operands[0]->def && !op->operands[1]->def &&
                  op->operands[0] != op->operands[1];
    bool fits = is_one && (op->code == OP_add || op->code == OP_maximum || op->code == OP_minimum);
    return fits ? op->code : OP_CODE_COUNT;
}

enum op_code reducer_of(const struct op *op)
{
    return op->code == OP_reduce ? reducer_of_body(op) : OP_CODE_COUNT;
}
