/* buffer_assign.c: see buffer_assign.h.
 *
 * 1. buffer_copies puts copies wherever a value must come to a place; places are then classes of
 * values that share memory (a loop's slot, a branch's result, what an update is written over, a
 * result). 2. All operations are numbered; a value lives from its definition to its last use,
 * and through the whole loop if a loop that does not define it reads it. Operation p writes at
 * time 2p and reads until 2p + 1. 3. The two sides of a copy are joined into one class when no
 * two members live at once, where a value that dies in the operation that defines the other may
 * be overwritten by it if elements keep their place. 4. Classes in temp get offsets, large ones
 * first, lowest gap that is free while they live. */
#include "compiler/passes/buffer/buffer_assign.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/vec.h"
#include "compiler/ir/infer.h"
#include "compiler/passes/buffer/buffer_class.h"
#include "compiler/passes/buffer/buffer_constants.h"
#include "compiler/passes/buffer/buffer_copies.h"
#include "compiler/passes/buffer/buffer_in_place.h"
#include "compiler/passes/buffer/buffer_offsets.h"

/* op->note: numbers of an operation; equal without regions */
struct place {
    int64_t start, end;
};

struct copy {
    struct op *op;
    int depth;
    uint64_t bytes;
    int64_t position;
};

struct assigner {
    struct module *module;
    struct arena *arena;
    const struct target *target;
    buffer_scratch_function *scratch_size;
    struct buffer_plan *plan;
    int constants, temp; /* allocations; constants is -1 for regions; tables follow constants */
    int64_t counter;
    VEC(struct item *) items;
    VEC(struct class *) classes;
    VEC(struct copy) copies;
    struct buffer_constants *literals; /* NULL for regions */
};

static bool is_tensor(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR;
}
static struct item *item_of(const struct value *value)
{
    return value->note;
}

/* ---- lives ----------------------------------------------------------------------------------- */
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
    if (!is_tensor(value))
        return;
    struct item *item = ARENA_NEW(a->arena, struct item);
    *item = (struct item){
        .value = value, .def = def, .last = def + 1, .bytes = (uint64_t)type_bytes(value->type)};
    item->class = add_class(a, item->bytes, item->def, item->last);
    item->class->members = item;
    item->class->member_count = 1;
    value->note = item;
    VEC_PUSH(a->arena, &a->items, item);
}

static const struct place *place_of(const struct op *op)
{
    return op->note;
}

/* The end of the outermost loop around `op` that is inside the block where `value` is defined;
 * else op itself. */
static int64_t time_of_use(const struct op *op, const struct value *value)
{
    const struct block *home = value->def ? value->def->block : value->block;
    int64_t time = 2 * place_of(op)->start + 1;
    for (const struct block *block = op->block; block != home && block->owner;
         block = block->owner->block)
        if (block->owner->code == OP_while)
            time = 2 * place_of(block->owner)->end - 1;
    return time;
}

static void use_operands(const struct op *op)
{
    for (int i = 0; i < op->operand_count; i++) {
        struct item *item = item_of(op->operands[i]);
        if (!item)
            continue;
        int64_t time = time_of_use(op, item->value);
        item->last = time > item->last ? time : item->last;
    }
}

static void number_block(struct assigner *a, struct block *block, int depth);

static struct buffer_plan *plan_region(struct assigner *a, struct op *fusion);

static uint64_t scratch_of(struct assigner *a, struct op *fusion)
{
    if (fusion->attrs.fusion.fusion_kind == FUSION_REGION)
        return plan_region(a, fusion)->temp_size;
    return a->scratch_size ? a->scratch_size(fusion, a->target) : 0;
}

static void number_results(struct assigner *a, struct op *op, int depth)
{
    int64_t end = ((struct place *)op->note)->end;
    for (int i = 0; i < op->result_count; i++) {
        if (op->code == OP_reshape)
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

/* Definitions first: a loop's end is known only after its body, and uses look at it. */
static void number_block(struct assigner *a, struct block *block, int depth)
{
    for (int i = 0; i < block->argument_count; i++)
        add_item(a, &block->arguments[i], 2 * a->counter);
    a->counter++;
    for (struct op *op = block->first; op; op = op->next) {
        struct place *place = ARENA_NEW(a->arena, struct place);
        place->start = place->end = a->counter++;
        op->note = place;
        if (op_info(op->code)->traits & OP_CONTROL) {
            for (int i = 0; i < op->region_count; i++)
                number_block(a, op->regions[i], depth + (op->code == OP_while));
            place->end = a->counter++;
        }
        number_results(a, op, depth);
    }
}

/* What a loop carries stays in its slots while the condition runs: the body, or what follows,
 * reads it. */
static void use_carried(const struct block *condition)
{
    for (int i = 0; i < condition->argument_count; i++)
        if (is_tensor(&condition->arguments[i]))
            item_of(&condition->arguments[i])->last = 2 * place_of(condition->last)->start + 1;
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

/* ---- classes --------------------------------------------------------------------------------- */
static void force(const struct value *first, const struct value *second)
{
    struct class *into = buffer_class_of(item_of(first)), *from = buffer_class_of(item_of(second));
    if (into != from)
        buffer_class_merge(into, from);
}

/* Whether `op` may write `to` over `from`, element by element. */
static bool overwrites(const struct op *op, const struct item *from, const struct item *to)
{
    if (op->code == OP_copy)
        return true;
    if (op->code != OP_fusion)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (item_of(op->operands[i]) == from && !buffer_in_place(op, i, to->value->index))
            return false;
    return true;
}

/* `from` dies in the operation that defines `to`, which keeps elements in place. */
static bool hands_over(const struct item *from, const struct item *to)
{
    const struct op *op = to->value->def;
    return op && op->code != OP_while && op->code != OP_case && op->code != OP_if &&
           from->last == 2 * place_of(op)->start + 1 && from->def < to->def &&
           overwrites(op, from, to);
}

static bool interfere(const struct item *x, const struct item *y)
{
    if (x->last < y->def || y->last < x->def)
        return false;
    return !hands_over(x, y) && !hands_over(y, x);
}

static bool interferes(void *item, struct live_range *range)
{
    return interfere(item, range->owner);
}

static bool may_merge(const struct class *into, const struct class *from)
{
    if (into->fixed || from->fixed || into->bytes != from->bytes ||
        (into->allocation >= 0 && from->allocation >= 0))
        return false;
    return !buffer_class_any(into, from, interferes);
}

static void try_merge(const struct item *first, const struct item *second)
{
    struct class *into = buffer_class_of(first), *from = buffer_class_of(second);
    if (into != from && may_merge(into, from))
        buffer_class_merge(into, from);
}

static void refresh_classes(struct assigner *a)
{
    for (size_t i = 0; i < a->items.count; i++) {
        struct item *item = a->items.items[i];
        item->class->last = item->last;
        item->range =
            (struct live_range){.first = item->def, .last = item->last, .serial = i, .owner = item};
        live_ranges_insert(&item->class->ranges, &item->range);
    }
}

/* ---- places that are given ------------------------------------------------------------------- */
static void fix_places(struct assigner *a, struct block *block);

static void fix_loop(struct op *loop)
{
    for (int i = 0; i < loop->operand_count; i++) {
        if (!is_tensor(loop->operands[i]))
            continue;
        force(&loop->results[i], loop->operands[i]);
        for (int r = 0; r < 2; r++)
            force(&loop->results[i], &loop->regions[r]->arguments[i]);
        force(&loop->results[i], loop->regions[1]->last->operands[i]);
    }
}

static void fix_branches(struct op *op)
{
    for (int r = 0; r < op->region_count; r++)
        for (int i = 0; i < op->result_count; i++)
            if (is_tensor(&op->results[i]))
                force(&op->results[i], op->regions[r]->last->operands[i]);
}

static void fix_constant(struct assigner *a, struct op *op)
{
    struct class *class = buffer_class_of(item_of(&op->results[0]));
    class->fixed = true;
    if (!a->literals) { /* part of the region's code */
        class->bytes = 0;
        return;
    }
    class->allocation = a->constants;
    class->offset = buffer_constants_add(a->literals, op->attrs.constant.value);
}

/* Only in the entry: canonicalize puts tables at the begin of the function. */
static void fix_table(struct assigner *a, struct op *op)
{
    struct class *class = buffer_class_of(item_of(&op->results[0]));
    uint64_t alignment = (uint64_t)a->target->alignment;
    struct program_table table = {.offset = a->plan->tables_size};
    infer_fft_table_of(op, &table.table);
    class->fixed = true;
    class->allocation = a->constants + 1;
    class->offset = table.offset;
    a->plan->tables_size = (table.offset + class->bytes + alignment - 1) / alignment * alignment;
    VEC_PUSH(a->arena, &a->plan->tables, table);
}

static void fix_op(struct assigner *a, struct op *op)
{
    if (op->code == OP_constant)
        fix_constant(a, op);
    else if (op->code == OP_fft_table)
        fix_table(a, op);
    else if (op->code == OP_while)
        fix_loop(op);
    else if (op->code == OP_case || op->code == OP_if)
        fix_branches(op);
    else if (op->code == OP_fusion && op->attrs.fusion.fusion_kind == FUSION_UPDATE)
        for (int i = 0; i < op->result_count; i++)
            force(&op->results[i], op->operands[buffer_copies_updated_operand(op, i)]);
    else if (op->code == OP_custom_call)
        for (int i = 0; i < op->result_count; i++)
            if (buffer_copies_aliased_operand(op, i) >= 0)
                force(&op->results[i], op->operands[buffer_copies_aliased_operand(op, i)]);
    if (op_info(op->code)->traits & OP_CONTROL)
        for (int i = 0; i < op->region_count; i++)
            fix_places(a, op->regions[i]);
}

static void fix_places(struct assigner *a, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next)
        fix_op(a, op);
}

static void fix_boundary(struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        if (is_tensor(&block->arguments[i])) {
            struct class *class = buffer_class_of(item_of(&block->arguments[i]));
            class->allocation = i;
            class->fixed = true;
        }
    for (int i = 0; i < block->last->operand_count; i++)
        if (is_tensor(block->last->operands[i]))
            buffer_class_of(item_of(block->last->operands[i]))->allocation =
                block->argument_count + i;
}

/* ---- joining --------------------------------------------------------------------------------- */
/* Copies in inner loops first, large ones first. */
static int compare_copies(const void *left, const void *right)
{
    const struct copy *x = left, *y = right;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

static void join_copies(struct assigner *a)
{
    if (a->copies.count)
        qsort(a->copies.items, a->copies.count, sizeof *a->copies.items, compare_copies);
    for (size_t i = 0; i < a->copies.count; i++) {
        const struct op *op = a->copies.items[i].op;
        try_merge(item_of(&op->results[0]), item_of(op->operands[0]));
    }
}

static void join_fusion(const struct op *op, int operand)
{
    const struct item *from = item_of(op->operands[operand]);
    for (int r = 0; r < op->result_count && from; r++) {
        const struct item *to = item_of(&op->results[r]);
        bool temporary =
            buffer_class_of(to)->allocation < 0 && buffer_class_of(from)->allocation < 0;
        if ((temporary || op->attrs.fusion.fusion_kind == FUSION_REGION) && hands_over(from, to))
            try_merge(to, from);
    }
}

/* A dying temporary is overwritten by an elementwise result: what was just read is in the cache.
 * The initial values of a loop in one kernel share the memory of its results. */
static void join_fusions(struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                join_fusions(op->regions[i]);
        for (int i = 0; op->code == OP_fusion && i < op->operand_count; i++)
            join_fusion(op, i);
    }
}

/* ---- offsets --------------------------------------------------------------------------------- */
static void place_classes(struct assigner *a)
{
    struct buffer_life *lives = ARENA_ARRAY(a->arena, struct buffer_life, a->classes.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < a->classes.count; i++) {
        struct class *class = a->classes.items[i];
        if (!class->joined && class->allocation < 0 && class->bytes)
            lives[count++] =
                (struct buffer_life){class->def, class->last, class->bytes, &class->offset};
    }
    a->plan->temp_size =
        buffer_offsets_place(a->arena, count, lives, (uint64_t)a->target->alignment);
}

static struct slice *slice_of(struct assigner *a, const struct class *class)
{
    struct slice *slice = ARENA_NEW(a->arena, struct slice);
    slice->allocation = class->allocation < 0 ? a->temp : class->allocation;
    slice->offset = class->offset;
    slice->size = class->bytes;
    return slice;
}

static void write_block(struct assigner *a, struct block *block);

static void write_value(struct assigner *a, const struct value *value)
{
    bool inline_constant = a->constants < 0 && value->def && value->def->code == OP_constant;
    if (item_of(value) && !inline_constant)
        map_put_pointer(a->plan->slices, value, slice_of(a, buffer_class_of(item_of(value))));
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

static void write_plan(struct assigner *a, struct block *block)
{
    write_block(a, block);
    for (size_t i = 0; i < a->classes.count; i++)
        if (a->classes.items[i]->scratch_of)
            map_put_pointer(a->plan->scratch, a->classes.items[i]->scratch_of,
                            slice_of(a, a->classes.items[i]));
}

/* ---- the doors ------------------------------------------------------------------------------- */
static void add_allocation(struct buffer_plan *plan, enum allocation_kind kind, int index,
                           uint64_t size)
{
    plan->allocations[plan->allocation_count++] = (struct allocation){kind, index, size};
}

static uint64_t bytes_of(const struct value *value)
{
    return is_tensor(value) ? (uint64_t)type_bytes(value->type) : 0;
}

static struct assigner start(struct module *module, const struct target *target,
                             struct block *block, buffer_scratch_function *scratch_size)
{
    struct arena *arena = module->arena;
    struct buffer_plan *plan = ARENA_NEW(arena, struct buffer_plan);
    int results = block->last->operand_count;
    plan->slices = map_create(arena);
    plan->scratch = map_create(arena);
    plan->regions = map_create(arena);
    plan->allocations = ARENA_ARRAY(arena, struct allocation, block->argument_count + results + 3);
    for (int i = 0; i < block->argument_count; i++)
        add_allocation(plan, ALLOCATION_PARAMETER, i, bytes_of(&block->arguments[i]));
    for (int i = 0; i < results; i++)
        add_allocation(plan, ALLOCATION_RESULT, i, bytes_of(block->last->operands[i]));
    return (struct assigner){.module = module,
                             .arena = arena,
                             .target = target,
                             .plan = plan,
                             .scratch_size = scratch_size,
                             .constants = -1};
}

static void assign(struct assigner *a, struct block *block)
{
    buffer_copies_insert(a->module, block, true);
    number_block(a, block, 0);
    use_block(block);
    refresh_classes(a);
    fix_places(a, block);
    fix_boundary(block);
    join_copies(a);
    join_fusions(block);
    place_classes(a);
    a->temp = a->plan->allocation_count;
    add_allocation(a->plan, ALLOCATION_TEMP, 0, a->plan->temp_size);
    write_plan(a, block);
}

static struct buffer_plan *plan_region(struct assigner *outer, struct op *fusion)
{
    struct assigner a =
        start(outer->module, outer->target, fusion->regions[0], outer->scratch_size);
    assign(&a, fusion->regions[0]);
    map_put_pointer(outer->plan->regions, fusion, a.plan);
    return a.plan;
}

/* The first member of a class to be written. */
static const struct item *first_written(const struct class *class)
{
    const struct item *first = class->members;
    for (const struct item *item = first; item; item = item->next)
        if (item->def < first->def)
            first = item;
    return first;
}

/* Result memory may be the parameter's when nothing reads the parameter any more once it is
 * first written. */
static bool alias_is_safe(const struct item *parameter, const struct item *result)
{
    const struct item *first = first_written(buffer_class_of(result));
    if (parameter->bytes != result->bytes)
        return false;
    return parameter->last < first->def || hands_over(parameter, first);
}

static void choose_alias(struct assigner *a, const struct func *func, int parameter)
{
    const struct argument_info *info = &func->argument_infos[parameter];
    const struct block *body = func->body;
    const struct item *from = item_of(&body->arguments[parameter]);
    if (info->alias_result < 0 && !info->donated)
        return;
    for (int r = 0; from && r < body->last->operand_count; r++) {
        const struct item *to = item_of(body->last->operands[r]);
        bool asked = info->alias_result == r;
        bool fits = info->alias_result < 0 && info->donated && to &&
                    type_same_shape(from->value->type, to->value->type) &&
                    from->value->type->shape.dtype == to->value->type->shape.dtype;
        if (!to || !(asked || fits) || a->plan->result_alias[r] >= 0 || !alias_is_safe(from, to))
            continue;
        a->plan->result_alias[r] = parameter;
        return;
    }
}

struct error *buffer_assign_entry(struct module *module, const struct target *target,
                                  buffer_scratch_function *scratch_size, struct buffer_plan **out)
{
    const struct func *func = module->entry;
    struct block *body = func->body;
    struct assigner a = start(module, target, body, scratch_size);
    a.constants = a.plan->allocation_count;
    a.literals = buffer_constants_create(a.arena, (uint64_t)target->alignment);
    add_allocation(a.plan, ALLOCATION_CONSTANTS, 0, 0);
    add_allocation(a.plan, ALLOCATION_TABLES, 0, 0);
    assign(&a, body);
    a.plan->constants = arena_keep(a.arena, alloc_free);
    TRY(buffer_constants_bytes(a.literals, a.plan->constants, &a.plan->constants_size));
    a.plan->allocations[a.constants].size = a.plan->constants_size;
    a.plan->allocations[a.constants + 1].size = a.plan->tables_size;
    a.plan->result_alias = ARENA_ARRAY(a.arena, int, body->last->operand_count + 1);
    for (int i = 0; i < body->last->operand_count; i++)
        a.plan->result_alias[i] = -1;
    for (int i = 0; func->argument_infos && i < body->argument_count; i++)
        choose_alias(&a, func, i);
    *out = a.plan;
    return NULL;
}

const struct slice *buffer_plan_slice(const struct buffer_plan *plan, const struct value *value)
{
    return map_get_pointer(plan->slices, value);
}

const struct slice *buffer_plan_scratch(const struct buffer_plan *plan, const struct op *fusion)
{
    return map_get_pointer(plan->scratch, fusion);
}
