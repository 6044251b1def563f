/* pallas_lanes.c: see pallas_lanes.h. */
#include "compiler/model/pallas_lanes.h"

bool pallas_lanes_reduces(const struct kernel_op *op, int dimension)
{
    for (int64_t i = 0; i < op->attrs->dims.count; i++)
        if (op->attrs->dims.at[i] == dimension)
            return true;
    return op->code != KERNEL_MULTI_REDUCTION && op->attrs->axis == dimension;
}

static bool operands_equal(const bool *equal, const struct kernel_op *op)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->kind == KERNEL_VECTOR && !equal[op->operands[i]->id])
            return false;
    return true;
}

/* An iota along lanes has different ones; of a constant that is a splat, one element is given. */
static bool constant_is_equal(const struct kernel_op *op)
{
    const struct kernel_type *type = op->results[0].type;
    return op->code == KERNEL_CONSTANT
               ? op->attrs->constant_bytes <= (size_t)dtype_bytes(type->dtype)
               : !pallas_lanes_reduces(op, type->rank - 1);
}

static bool is_equal(const bool *equal, const struct kernel_op *op)
{
    const struct kernel_type *from = op->operand_count ? op->operands[0]->type : NULL;
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_CONSTANT: return constant_is_equal(op);
    case KERNEL_CLASS_ELEMENTWISE: return operands_equal(equal, op);
    case KERNEL_CLASS_REDUCTION: return from && pallas_lanes_reduces(op, from->rank - 1);
    case KERNEL_CLASS_SHAPE:
        if (op->code == KERNEL_BROADCAST && from->rank && from->dims[from->rank - 1] == 1)
            return true;
        return (op->code == KERNEL_BROADCAST || op->code == KERNEL_SHAPE_CAST ||
                op->code == KERNEL_TPU_RESHAPE) &&
               operands_equal(equal, op);
    default: return false;
    }
}

static void walk(bool *equal, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        if (op->result_count && op->results[0].type->kind == KERNEL_VECTOR && !op->region_count)
            equal[op->results[0].id] = is_equal(equal, op);
        for (int r = 0; r < op->region_count; r++)
            walk(equal, &op->regions[r]);
    }
}

const bool *pallas_lanes_equal(struct arena *arena, const struct kernel *kernel)
{
    bool *equal = ARENA_ARRAY(arena, bool, (size_t)kernel->main->value_count + 1);
    walk(equal, &kernel->main->body);
    return equal;
}
