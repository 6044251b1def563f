/* buffer_assign.c: see buffer_assign.h.
 *
 * 1. buffer_copies inserts a copy wherever a value must be in given memory: a loop's carried slot,
 * a branch's result, the operand of an in-place update, a result of the program. 2. buffer_liveness
 * computes live ranges. 3. buffer_preassign merges the values that must share memory into classes;
 * buffer_coalesce merges more classes if that saves a copy or memory and no two members of the
 * merged class are live at once. 4. buffer_temporaries assigns offsets to the classes of
 * temporaries, in order of decreasing size. */
#include "compiler/passes/buffer/buffer_assign.h"

#include "compiler/passes/buffer/buffer_coalesce.h"
#include "compiler/passes/buffer/buffer_copies.h"
#include "compiler/passes/buffer/buffer_preassign.h"
#include "compiler/passes/buffer/buffer_liveness.h"
#include "compiler/passes/buffer/buffer_temporaries.h"
#include "compiler/passes/buffer/buffer_ranges.h"

/* ---- the plan -------------------------------------------------------------------------------- */
static struct slice *slice_of(struct assigner *a, const struct class *class)
{
    struct slice *slice = ARENA_NEW(a->module->arena, struct slice);
    slice->allocation = class->allocation < 0 ? a->temp + (int)class->memory : class->allocation;
    slice->offset = class->offset;
    slice->size = class->bytes;
    return slice;
}

static void write_block(struct assigner *a, struct block *block);

static void write_value(struct assigner *a, const struct value *value)
{
    bool inline_constant = a->constants < 0 && value->def && value->def->code == OP_constant;
    if (assigner_item(value) && !inline_constant)
        map_put_pointer(a->plan->slices, value, slice_of(a, buffer_class_of(assigner_item(value))));
}

static void write_block(struct assigner *a, struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        write_value(a, &block->arguments[i]);
    for (struct op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            write_value(a, &op->results[i]);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                write_block(a, op->regions[i]);
    }
}

static void write_plan(struct assigner *a)
{
    write_block(a, a->block);
    for (size_t i = 0; i < a->classes.count; i++)
        if (a->classes.items[i]->scratch_of)
            map_put_pointer(a->plan->scratch, a->classes.items[i]->scratch_of,
                            slice_of(a, a->classes.items[i]));
}

/* ---- allocations ----------------------------------------------------------------------------- */
static void add_allocation(struct buffer_plan *plan, enum allocation_kind kind, int index,
                           uint64_t size, enum memory_kind memory)
{
    plan->allocations[plan->allocation_count++] = (struct allocation){kind, index, size, memory};
}

/* The parameters and results of the entry have their declared memory kinds. */
static void add_boundary(struct assigner *a)
{
    const struct func *entry = a->entry;
    const struct block *block = a->block;
    for (int i = 0; i < block->argument_count; i++)
        add_allocation(a->plan, ALLOCATION_PARAMETER, i, assigner_bytes(&block->arguments[i]),
                       entry ? ir_argument_type(entry, i)->shape.memory : MEMORY_DEVICE);
    for (int i = 0; i < block->last->operand_count; i++)
        add_allocation(a->plan, ALLOCATION_RESULT, i, assigner_bytes(block->last->operands[i]),
                       entry ? entry->result_types[i]->shape.memory : MEMORY_DEVICE);
}

/* `entry`: the function whose body is the block; NULL for the block of a region. */
static struct assigner start(struct module *module, const struct target *target,
                             const struct func *entry, struct block *block,
                             buffer_scratch_function *scratch_size)
{
    struct arena *arena = module->arena;
    struct buffer_plan *plan = ARENA_NEW(arena, struct buffer_plan);
    int boundary = block->argument_count + block->last->operand_count;
    plan->slices = map_create(arena);
    plan->scratch = map_create(arena);
    plan->regions = map_create(arena);
    plan->allocations =
        ARENA_ARRAY(arena, struct allocation, boundary + 2 + (int)MEMORY_KIND_COUNT);
    struct assigner a = {.module = module,
                         .arena = arena_scratch(arena),
                         .target = target,
                         .entry = entry,
                         .block = block,
                         .plan = plan,
                         .scratch_size = scratch_size,
                         .constants = -1,
                         .temp_count = entry ? MEMORY_KIND_COUNT : 1};
    add_boundary(&a);
    return a;
}

/* ---- one block ------------------------------------------------------------------------------- */
static void assign(struct assigner *a);

static void plan_region(struct assigner *outer, struct op *fusion)
{
    struct assigner a =
        start(outer->module, outer->target, NULL, fusion->regions[0], outer->scratch_size);
    assign(&a);
    map_put_pointer(outer->plan->regions, fusion, a.plan);
}

static void plan_regions(struct assigner *a, const struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_REGION)
            plan_region(a, op);
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            plan_regions(a, op->regions[i]);
    }
}

static void assign(struct assigner *a)
{
    buffer_copies_insert(a->module, a->block, true);
    plan_regions(a, a->block);
    buffer_liveness_run(a);
    buffer_preassign_block(a, a->block);
    buffer_preassign_boundary(a);
    buffer_coalesce_copies(a);
    if (a->entry)
        buffer_preassign_donated(a);
    buffer_coalesce_fusions(a, a->block);
    a->temp = a->plan->allocation_count;
    for (int kind = 0; kind < a->temp_count; kind++)
        add_allocation(a->plan, ALLOCATION_TEMP, 0,
                       buffer_temporaries_allocate(a, (enum memory_kind)kind),
                       (enum memory_kind)kind);
    if (a->entry)
        buffer_ranges_list(a);
    write_plan(a);
}

struct error *buffer_assign_entry(struct module *module, const struct target *target,
                                  buffer_scratch_function *scratch_size, struct buffer_plan **out)
{
    struct assigner a = start(module, target, module->entry, module->entry->body, scratch_size);
    a.constants = a.plan->allocation_count;
    a.literals = buffer_constants_create(module->arena, (uint64_t)target->alignment);
    add_allocation(a.plan, ALLOCATION_CONSTANTS, 0, 0, MEMORY_DEVICE);
    assign(&a);
    a.plan->constants = a.literals;
    *out = a.plan;
    return NULL;
}
