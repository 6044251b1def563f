/* pallas_lanes.c: see pallas_lanes.h. */
#include "compiler/model/pallas/pallas_lanes.h"

bool pallas_lanes_reduces(const struct kernel_op *op, int dimension)
{
    for (int64_t i = 0; i < op->attrs->dims.count; i++)
        if (op->attrs->dims.at[i] == dimension)
            return true;
    return op->code != KERNEL_MULTI_REDUCTION && op->attrs->axis == dimension;
}

static enum pallas_lanes of_operand(const enum pallas_lanes *lanes,
                                    const struct kernel_value *operand)
{
    bool is_scalar = operand->type->kind != KERNEL_VECTOR;
    return is_scalar && lanes[operand->id] == PALLAS_LANES_DIFFER ? PALLAS_LANES_EQUAL
                                                                  : lanes[operand->id];
}

/* What all operands have in common. */
static enum pallas_lanes of_operands(const enum pallas_lanes *lanes, const struct kernel_op *op)
{
    enum pallas_lanes least = PALLAS_LANES_CONSTANT;
    for (int i = 0; i < op->operand_count; i++)
        if (of_operand(lanes, op->operands[i]) < least)
            least = of_operand(lanes, op->operands[i]);
    return least;
}

/* Of a constant that is a splat, one element is given. */
static enum pallas_lanes of_constant(const struct kernel_op *op)
{
    const struct kernel_type *type = op->results[0].type;
    bool is_splat = op->attrs->constant_bytes <= (size_t)dtype_bytes(type->dtype);
    return is_splat ? PALLAS_LANES_CONSTANT : PALLAS_LANES_DIFFER;
}

static enum pallas_lanes equal_if(bool is_equal)
{
    return is_equal ? PALLAS_LANES_EQUAL : PALLAS_LANES_DIFFER;
}

static enum pallas_lanes of_shape(const enum pallas_lanes *lanes, const struct kernel_op *op)
{
    const struct kernel_type *from = op->operands[0]->type;
    enum pallas_lanes before = of_operands(lanes, op);
    bool repeats = op->code == KERNEL_BROADCAST && from->rank && from->dims[from->rank - 1] == 1;
    bool keeps = op->code == KERNEL_BROADCAST || op->code == KERNEL_SHAPE_CAST ||
                 op->code == KERNEL_TPU_RESHAPE;
    return repeats && before == PALLAS_LANES_DIFFER ? PALLAS_LANES_EQUAL
           : keeps                                  ? before
                                                    : PALLAS_LANES_DIFFER;
}

static enum pallas_lanes of_result(const enum pallas_lanes *lanes, const struct kernel_op *op)
{
    const struct kernel_type *from = op->operand_count ? op->operands[0]->type : NULL;
    switch (kernel_op_info(op->code)->class) {
    case KERNEL_CLASS_CONSTANT: /* or an iota: along lanes it has different ones */
        return op->code == KERNEL_CONSTANT
                   ? of_constant(op)
                   : equal_if(!pallas_lanes_reduces(op, op->results[0].type->rank - 1));
    case KERNEL_CLASS_ELEMENTWISE: return of_operands(lanes, op);
    case KERNEL_CLASS_REDUCTION: return equal_if(from && pallas_lanes_reduces(op, from->rank - 1));
    case KERNEL_CLASS_SHAPE: return from ? of_shape(lanes, op) : PALLAS_LANES_DIFFER;
    default: return PALLAS_LANES_DIFFER;
    }
}

static void walk(enum pallas_lanes *lanes, const struct kernel_block *block)
{
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        if (op->result_count && !op->region_count)
            lanes[op->results[0].id] = of_result(lanes, op);
        for (int r = 0; r < op->region_count; r++)
            walk(lanes, &op->regions[r]);
    }
}

const enum pallas_lanes *pallas_lanes(struct arena *arena, const struct kernel *kernel)
{
    enum pallas_lanes *lanes =
        ARENA_ARRAY(arena, enum pallas_lanes, (size_t)kernel->main->value_count + 1);
    walk(lanes, &kernel->main->body);
    return lanes;
}
