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
    value->note = item;
    VEC_PUSH(a->arena, &a->items, item);
}

/* ---- numbers and definitions ----------------------------------------------------------------- */
/* What is around a block. */
struct nest {
    int loops, branches;
};

static void number_block(struct assigner *a, struct block *block, struct nest nest);

static uint64_t scratch_of(const struct assigner *a, const struct op *fusion)
{
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        return buffer_plan_temp_size(map_get_pointer(a->plan->regions, fusion), MEMORY_DEVICE);
    return a->scratch_size ? a->scratch_size(fusion, a->target) : 0;
}

static void number_results(struct assigner *a, struct op *op, struct nest nest)
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
                 (struct copy){op, nest.loops, nest.branches,
                               (uint64_t)type_bytes(op->results[0].type), end});
    uint64_t scratch = op->code == OP_fusion ? scratch_of(a, op) : 0;
    if (scratch)
        add_class(a, scratch, 2 * end, 2 * end + 1)->scratch_of = op;
}

/* Definitions come first, because uses need the end of a loop, which is known only after its
 * body. */
static void number_block(struct assigner *a, struct block *block, struct nest nest)
{
    struct nest inner = nest;
    for (int i = 0; i < block->argument_count; i++)
        add_item(a, &block->arguments[i], 2 * a->counter);
    a->counter++;
    for (struct op *op = block->first; op; op = op->next) {
        struct op_span *span = ARENA_NEW(a->arena, struct op_span);
        span->start = span->end = a->counter++;
        op->note = span;
        if (op_info(op->code)->traits & OP_CONTROL) {
            inner.loops = nest.loops + (op->code == OP_while);
            inner.branches = nest.branches + (op->code != OP_while);
            for (int i = 0; i < op->region_count; i++)
                number_block(a, op->regions[i], inner);
            span->end = a->counter++;
        }
        number_results(a, op, nest);
    }
}

/* ---- uses ------------------------------------------------------------------------------------ */
/* The use of a value by an operation in a loop is one by the outermost loop inside the block that
 * defines the value, at the end of that loop. */
static struct buffer_use use_of(const struct op *op, int operand, const struct value *value)
{
    const struct block *home = ir_block_of(value);
    struct buffer_use use = {op, 2 * assigner_span(op)->start + 1, operand};
    for (const struct block *block = op->block; block != home && block->owner;
         block = block->owner->block)
        if (block->owner->code == OP_while)
            use = (struct buffer_use){block->owner, 2 * assigner_span(block->owner)->end - 1, -1};
    return use;
}

static void add_use(struct assigner *a, struct item *item, struct buffer_use use)
{
    VEC_PUSH(a->arena, &item->uses, use);
    item->last = use.time > item->last ? use.time : item->last;
}

static void use_operands(struct assigner *a, const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        struct item *item = assigner_item(op->operands[i]);
        if (item)
            add_use(a, item, use_of(op, i, item->value));
    }
}

/* Carried values stay in their slots while the condition runs, because the body or the code after
 * the loop reads them. */
static void use_carried(struct assigner *a, const struct block *condition)
{
    const struct op *end = condition->last;
    for (int i = 0; i < condition->argument_count; i++)
        if (assigner_is_tensor(&condition->arguments[i]))
            add_use(a, assigner_item(&condition->arguments[i]),
                    (struct buffer_use){end, 2 * assigner_span(end)->start + 1, -1});
}

static void use_block(struct assigner *a, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        use_operands(a, op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                use_block(a, op->regions[i]);
        if (op->code == OP_while)
            use_carried(a, op->regions[0]);
    }
}

/* ---- live ranges ----------------------------------------------------------------------------- */
static void add_range(struct assigner *a, struct item *item, int64_t first, int64_t last)
{
    struct live_range *before = item->ranges.count ? &VEC_LAST(&item->ranges) : NULL;
    if (before && first <= before->last + 1)
        before->last = last > before->last ? last : before->last;
    else
        VEC_PUSH(a->arena, &item->ranges,
                 (struct live_range){.first = first, .last = last, .owner = item});
}

/* The operation of `block` that is `op` or contains it. */
static const struct op *ancestor_in(const struct block *block, const struct op *op)
{
    while (op->block != block)
        op = op->block->owner;
    return op;
}

/* The number of the first use after `time`, from `begin` on; `end` if there is none. */
static size_t first_use_after(const struct item *item, size_t begin, size_t end, int64_t time)
{
    while (begin < end) {
        size_t middle = begin + (end - begin) / 2;
        if (item->uses.items[middle].time <= time)
            begin = middle + 1;
        else
            end = middle;
    }
    return begin;
}

/* Adds the ranges of a value that is live from `first` on, a time in `block`, and has the given
 * uses there and none after the block. */
static void add_ranges(struct assigner *a, struct item *item, const struct block *block,
                       size_t begin, size_t end, int64_t first)
{
    const struct buffer_use *last = &item->uses.items[end - 1];
    const struct op *op = ancestor_in(block, last->op);
    if (op == last->op) {
        add_range(a, item, first, last->time);
        return;
    }
    int64_t start = 2 * assigner_span(op)->start + 1;
    add_range(a, item, first, start);
    begin = first_use_after(item, begin, end, start);
    for (int i = 0; i < op->region_count; i++) {
        const struct block *branch = op->regions[i];
        size_t next = first_use_after(item, begin, end, 2 * assigner_span(branch->last)->start + 1);
        if (next > begin)
            add_ranges(a, item, branch, begin, next, 2 * assigner_span(branch->first)->start - 2);
        begin = next;
    }
}

static void collect_ranges(struct assigner *a)
{
    uint64_t serial = 0;
    for (size_t i = 0; i < a->items.count; i++) {
        struct item *item = a->items.items[i];
        const struct value *value = item->value;
        add_range(a, item, item->def, item->def + 1);
        if (item->uses.count)
            add_ranges(a, item, ir_block_of(value), 0, item->uses.count, item->def);
        item->class->last = item->last;
        item->class->range_count = item->ranges.count;
        for (size_t k = 0; k < item->ranges.count; k++) {
            item->ranges.items[k].serial = serial++;
            live_ranges_insert(&item->class->ranges, &item->ranges.items[k]);
        }
    }
}

void buffer_liveness_run(struct assigner *a)
{
    number_block(a, a->block, (struct nest){0});
    use_block(a, a->block);
    collect_ranges(a);
}
