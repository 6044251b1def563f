/* buffer_liveness.c: see buffer_liveness.h. */
#include "compiler/passes/buffer/buffer_liveness.h"

/* A region is one kernel with one block of scratch, regardless of the memory kinds of its
 * values. */
static enum memory_kind memory_of(const struct assigner *a, const struct type *type)
{
    return a->temp_count > 1 ? type->shape.memory : MEMORY_DEVICE;
}

static struct class *add_class(struct assigner *a, uint64_t bytes, int64_t def, int64_t last)
{
    struct class *class = ARENA_NEW(a->arena, struct class);
    *class = (struct class){.def = def, .last = last, .bytes = bytes, .allocation = -1};
    VEC_PUSH(a->arena, &a->classes, class);
    return class;
}

static void add_item(struct assigner *a, struct value *value, int64_t def)
{
    value->note = NULL;
    if (!assigner_is_tensor(value))
        return;
    struct item *item = ARENA_NEW(a->arena, struct item);
    *item = (struct item){
        .value = value, .def = def, .last = def + 1, .bytes = (uint64_t)type_bytes(value->type)};
    item->class = add_class(a, item->bytes, item->def, item->last);
    item->class->memory = memory_of(a, value->type);
    item->class->members = item;
    item->class->member_count = 1;
    value->note = item;
    VEC_PUSH(a->arena, &a->items, item);
}

/* Returns the end of the outermost loop around `op` inside the block that defines `value`, or of
 * `op` itself. */
static int64_t time_of_use(const struct op *op, const struct value *value)
{
    const struct block *home = value->def ? value->def->block : value->block;
    int64_t time = 2 * assigner_span(op)->start + 1;
    for (const struct block *block = op->block; block != home && block->owner;
         block = block->owner->block)
        if (block->owner->code == OP_while)
            time = 2 * assigner_span(block->owner)->end - 1;
    return time;
}

static void use_operands(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        struct item *item = assigner_item(op->operands[i]);
        if (!item)
            continue;
        int64_t time = time_of_use(op, item->value);
        item->last = time > item->last ? time : item->last;
    }
}

static void number_block(struct assigner *a, struct block *block, int depth);

static uint64_t scratch_of(const struct assigner *a, const struct op *fusion)
{
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        return buffer_plan_temp_size(map_get_pointer(a->plan->regions, fusion), MEMORY_DEVICE);
    return a->scratch_size ? a->scratch_size(fusion, a->target) : 0;
}

static void number_results(struct assigner *a, struct op *op, int depth)
{
    int64_t end = ((struct op_span *)op->note)->end;
    for (int i = 0; i < op->result_count; i++) {
        if (op->code == OP_reshape || op->code == OP_copy_done)
            op->results[i].note = op->operands[0]->note;
        else
            add_item(a, &op->results[i], 2 * end);
    }
    if (op->code == OP_copy)
        VEC_PUSH(a->arena, &a->copies,
                 (struct copy){op, depth, (uint64_t)type_bytes(op->results[0].type), end});
    uint64_t scratch = op->code == OP_fusion ? scratch_of(a, op) : 0;
    if (scratch)
        add_class(a, scratch, 2 * end, 2 * end + 1)->scratch_of = op;
}

/* Definitions come first, because uses need the end of a loop, which is known only after its
 * body. */
static void number_block(struct assigner *a, struct block *block, int depth)
{
    for (int i = 0; i < block->argument_count; i++)
        add_item(a, &block->arguments[i], 2 * a->counter);
    a->counter++;
    for (struct op *op = block->first; op; op = op->next) {
        struct op_span *span = ARENA_NEW(a->arena, struct op_span);
        span->start = span->end = a->counter++;
        op->note = span;
        if (op_info(op->code)->traits & OP_CONTROL) {
            for (int i = 0; i < op->region_count; i++)
                number_block(a, op->regions[i], depth + (op->code == OP_while));
            span->end = a->counter++;
        }
        number_results(a, op, depth);
    }
}

/* Carried values stay in their slots while the condition runs, because the body or the code after
 * the loop reads them. */
static void use_carried(const struct block *condition)
{
    for (int i = 0; i < condition->argument_count; i++)
        if (assigner_is_tensor(&condition->arguments[i]))
            assigner_item(&condition->arguments[i])->last =
                2 * assigner_span(condition->last)->start + 1;
}

static void use_block(struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        use_operands(op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                use_block(op->regions[i]);
        if (op->code == OP_while)
            use_carried(op->regions[0]);
    }
}

static void collect_ranges(struct assigner *a)
{
    for (size_t i = 0; i < a->items.count; i++) {
        struct item *item = a->items.items[i];
        item->class->last = item->last;
        item->range =
            (struct live_range){.first = item->def, .last = item->last, .serial = i, .owner = item};
        live_ranges_insert(&item->class->ranges, &item->range);
    }
}

void buffer_liveness_run(struct assigner *a)
{
    number_block(a, a->block, 0);
    use_block(a->block);
    collect_ranges(a);
}
