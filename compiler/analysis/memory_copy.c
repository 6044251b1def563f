/* memory_copy.c: see memory_copy.h. */
#include "compiler/analysis/memory_copy.h"

#include "compiler/program/program.h"

int memory_copy_source(const struct op *op)
{
    return op->code == OP_dynamic_update_slice ? 1 : 0;
}

static bool moves_ranges(const struct op *op)
{
    if (op->code != OP_copy && op->operand_count &&
        op->operands[0]->type->shape.rank > COPY_MAX_RANK)
        return false;
    if (op->code == OP_slice) {
        for (int64_t i = 0; i < op->attrs.slice.strides.count; i++)
            if (op->attrs.slice.strides.at[i] != 1)
                return false;
        return true;
    }
    return op->code == OP_copy || op->code == OP_dynamic_slice ||
           op->code == OP_dynamic_update_slice;
}

bool memory_copy_is(const struct op *op)
{
    if (!moves_ranges(op) || op->result_count != 1)
        return false;
    const struct type *from = op->operands[memory_copy_source(op)]->type;
    return from->kind == TYPE_TENSOR && from->shape.memory != op->results[0].type->shape.memory;
}

const struct op *memory_copy_done(const struct op *op)
{
    const struct use *use = op->results[0].uses;
    bool waits = use && !use->next && use->user->code == OP_copy_done && use->operand == 0;
    return waits ? use->user : NULL;
}

bool memory_copy_is_in(const struct block *block)
{
    for (const struct op *op = block->first; op; op = op->next) {
        if (memory_copy_is(op))
            return true;
        for (int i = 0; i < op->region_count; i++)
            if (memory_copy_is_in(op->regions[i]))
                return true;
    }
    return false;
}
