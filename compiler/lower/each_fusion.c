/* each_fusion.c: see each_fusion.h. */
#include "compiler/lower/each_fusion.h"

#include "compiler/analysis/loop_stack.h"
#include "compiler/lower/lower_step.h"

typedef void visitor(struct lowerer *l, const struct op *fusion);

static void walk(struct lowerer *l, const struct block *block, visitor *visit)
{
    for (const struct op *op = block->first; op; op = op->next)
        if (op->code == OP_fusion && !lower_step_calls_kernels(op) && !loop_stack_is_unread(op))
            visit(l, op);
        else if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                walk(l, op->regions[i], visit);
}

void each_fusion(struct lowerer *l, visitor *visit)
{
    walk(l, l->module->entry->body, visit);
}
