/* moves.c: see moves.h. */
#include "compiler/schedule/moves.h"

#include "compiler/schedule/walk.h"

static bool is_index(const struct value *value)
{
    enum dtype dtype = value->type->shape.dtype;
    return dtype_is_integer(dtype) || dtype == DTYPE_PRED;
}

/* Whether an operation's result has elements of its operands of the same type. */
static bool is_move(enum op_code code)
{
    switch (code) {
    case OP_broadcast_in_dim:
    case OP_broadcast:
    case OP_reshape:
    case OP_transpose:
    case OP_slice:
    case OP_reverse:
    case OP_pad:
    case OP_concatenate:
    case OP_constant:
    case OP_dynamic_slice:
    case OP_dynamic_update_slice:
    case OP_gather:
    case OP_select: return true;
    default: return false;
    }
}

static bool moves(const struct value *value, struct walk *walk)
{
    const struct op *op = value->def;
    if (!op || op->code == OP_fusion || walk_is_repeated(walk, op, 0, 0))
        return true;
    if (--walk->steps < 0 || (!is_move(op->code) && !is_index(value)))
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if ((!is_move(op->code) && !is_index(op->operands[i])) || !moves(op->operands[i], walk))
            return false;
    return true;
}

bool moves_has_bits(enum dtype dtype)
{
    bool is_narrow = dtype_is_float(dtype) && dtype != DTYPE_F32 && dtype != DTYPE_F64;
    return is_narrow || dtype == DTYPE_C64;
}

bool moves_bits(const struct value *value)
{
    struct walk walk = walk_start();
    return moves_has_bits(value->type->shape.dtype) && moves(value, &walk);
}
