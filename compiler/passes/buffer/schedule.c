/* schedule.c: see schedule.h. The orders that are compared are in schedule_order.c. */
#include "compiler/passes/buffer/schedule.h"

#include "compiler/passes/buffer/carried_order.h"
#include "compiler/passes/buffer/schedule_order.h"

static uint64_t schedule_block(struct arena *arena, uint64_t alignment, struct block *block);

/* The peak bytes of a block of control flow, excluding values that are live around it. */
static uint64_t schedule_regions(struct arena *arena, uint64_t alignment, const struct op *op)
{
    uint64_t peak = 0;
    for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++) {
        uint64_t bytes = schedule_block(arena, alignment, op->regions[i]);
        peak = bytes > peak ? bytes : peak;
    }
    return peak;
}

/* Returns the peak bytes of its values. */
static uint64_t schedule_block(struct arena *arena, uint64_t alignment, struct block *block)
{
    struct schedule_graph *graph = schedule_graph_make(arena, alignment, block);
    for (int i = 0; i < graph->node_count; i++)
        graph->nodes[i].region_peak = schedule_regions(arena, alignment, graph->nodes[i].op);
    uint64_t peak;
    const int *order = schedule_order(arena, graph, &peak);
    for (int i = 0; i < graph->node_count; i++)
        ir_move_before(block->last, graph->nodes[order[i]].op);
    return peak;
}

struct error *schedule_run(struct module *module, const struct target *target)
{
    carried_order(module->entry->body);
    schedule_block(arena_scratch(module->arena), (uint64_t)target->alignment, module->entry->body);
    return NULL;
}
