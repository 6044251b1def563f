#include "devices/host/kernel_machine/kernel_build.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_frame.h"
#include "devices/host/kernel_machine/kernel_select.h"
#include "devices/host/kernel_machine/kernel_steps.h"

int64_t kernel_build_bytes(const struct kernel_type *type)
{
    if (type->kind == KERNEL_REF)
        return (int64_t)sizeof(struct kernel_view);
    int64_t bytes = type->elements * dtype_bytes(type->dtype);
    return bytes > 8 ? bytes : 8;
}

/* ---- what is used ---------------------------------------------------------------------------- */
static bool has_effect(enum kernel_class class)
{
    return class == KERNEL_CLASS_STORE || class == KERNEL_CLASS_ALLOCATE ||
           class == KERNEL_CLASS_MXU || class == KERNEL_CLASS_DMA ||
           class == KERNEL_CLASS_SEMAPHORE || class == KERNEL_CLASS_CONTROL ||
           class == KERNEL_CLASS_RANDOM || class == KERNEL_CLASS_PRINT ||
           class == KERNEL_CLASS_MARK;
}

static bool is_needed(const struct kernel_builder *b, const struct kernel_op *op)
{
    bool needed = has_effect(kernel_op_info(op->code)->class);
    for (int i = 0; i < op->result_count; i++)
        needed |= b->slots[op->results[i].id].is_used;
    return needed;
}

/* From the last operation to the first, so that users come before what they use. */
static void mark_used(struct kernel_builder *b, const struct kernel_block *block)
{
    VEC(const struct kernel_op *) ops = {0};
    for (const struct kernel_op *op = block->first; op; op = op->next)
        VEC_PUSH(b->arena, &ops, op);
    for (size_t i = ops.count; i-- > 0;) {
        const struct kernel_op *op = ops.items[i];
        if (!is_needed(b, op))
            continue;
        for (int k = 0; k < op->region_count; k++)
            mark_used(b, &op->regions[k]);
        for (int k = 0; k < op->operand_count; k++)
            b->slots[op->operands[k]->id].is_used = true;
    }
}

/* ---- values ---------------------------------------------------------------------------------- */
static int place_of(const struct kernel_builder *b, const struct kernel_value *value)
{
    return b->slots[value->id].same;
}

static void define(struct kernel_builder *b, const struct kernel_value *value)
{
    struct kernel_slot *slot = &b->slots[place_of(b, value)];
    if (slot->start < 0)
        slot->start = slot->end = (int)b->instrs.count;
}

/* The value keeps its place until here, and to the end of the outermost loop that it came into. */
static void touch(struct kernel_builder *b, const struct kernel_value *value)
{
    int id = place_of(b, value);
    struct kernel_slot *slot = &b->slots[id];
    size_t low = 0, high = b->loops.count;
    slot->end = (int)b->instrs.count;
    while (low < high) { /* the first loop that begins behind the definition */
        size_t middle = (low + high) / 2;
        if (b->loops.items[middle].start > slot->start)
            high = middle;
        else
            low = middle + 1;
    }
    if (low < b->loops.count)
        VEC_PUSH(b->arena, &b->loops.items[low].outer, id);
}

static void open_loop(struct kernel_builder *b)
{
    VEC_PUSH(b->arena, &b->loops, (struct kernel_loop_scope){.start = (int)b->instrs.count});
}

static void close_loop(struct kernel_builder *b)
{
    struct kernel_loop_scope *loop = &VEC_LAST(&b->loops);
    for (size_t i = 0; i < loop->outer.count; i++)
        b->slots[loop->outer.items[i]].end = (int)b->instrs.count;
    b->loops.count--;
}

/* ---- instructions ---------------------------------------------------------------------------- */
static int push(struct kernel_builder *b, struct kernel_instr instr)
{
    VEC_PUSH(b->arena, &b->instrs, instr);
    return (int)b->instrs.count - 1;
}

static int here(const struct kernel_builder *b)
{
    return (int)b->instrs.count;
}

/* An instruction whose operands and result are values' ids until kernel_frame_assign(). */
static struct kernel_instr instr_of(struct kernel_builder *b, const struct kernel_op *op)
{
    size_t *all = ARENA_ARRAY(b->arena, size_t, (size_t)op->operand_count);
    struct kernel_instr in = {.op = op, .all = all, .out = KERNEL_NO_OFFSET};
    for (int i = 0; i < op->operand_count; i++) {
        all[i] = (size_t)place_of(b, op->operands[i]);
        if (i < 3)
            in.in[i] = all[i];
        touch(b, op->operands[i]);
    }
    for (int i = 0; i < op->result_count; i++)
        define(b, &op->results[i]);
    if (op->result_count > 0)
        in.out = (size_t)place_of(b, &op->results[0]);
    return in;
}

/* Values that a block hands on. They move together, so no target may overwrite a source. */
static void push_copies(struct kernel_builder *b, const struct kernel_op *op, int skipped,
                        const struct kernel_value *targets, int count)
{
    struct kernel_copy *copies = ARENA_ARRAY(b->arena, struct kernel_copy, (size_t)count);
    int used = 0;
    for (int i = 0; i < count; i++) {
        const struct kernel_value *from = op->operands[skipped + i];
        int from_id = place_of(b, from), to_id = place_of(b, &targets[i]);
        define(b, &targets[i]);
        touch(b, from);
        touch(b, &targets[i]);
        if (from_id != to_id)
            copies[used++] = (struct kernel_copy){
                .from_id = from_id, .to_id = to_id, .bytes = (size_t)b->slots[to_id].bytes};
    }
    if (used > 0)
        push(b, (struct kernel_instr){.run = kernel_steps_copy,
                                      .op = op,
                                      .plan = copies,
                                      .plan_count = used,
                                      .out = KERNEL_NO_OFFSET});
}

static int push_jump(struct kernel_builder *b, const struct kernel_op *op, int target)
{
    return push(b,
                (struct kernel_instr){
                    .run = kernel_steps_jump, .op = op, .target = target, .out = KERNEL_NO_OFFSET});
}

/* ---- control --------------------------------------------------------------------------------- */
static struct error *build_block(struct kernel_builder *b, const struct kernel_block *block,
                                 const struct kernel_op **terminator);

static void define_all(struct kernel_builder *b, const struct kernel_value *values, int count)
{
    for (int i = 0; i < count; i++)
        define(b, &values[i]);
}

/* The body of an if, switch or region; its values become the operation's results. */
static struct error *build_branch(struct kernel_builder *b, const struct kernel_op *op, int region)
{
    const struct kernel_op *last;
    TRY(build_block(b, &op->regions[region], &last));
    if (last)
        push_copies(b, last, 0, op->results, op->result_count);
    return NULL;
}

/* A region, then the end of what it allocates. */
static struct error *build_region(struct kernel_builder *b, const struct kernel_op *op)
{
    struct kernel_region *region = ARENA_NEW(b->arena, struct kernel_region);
    define_all(b, op->results, op->result_count);
    region->first = b->machine->alloca_count;
    TRY(build_branch(b, op, 0));
    region->count = b->machine->alloca_count - region->first;
    if (region->count > 0)
        push(b, (struct kernel_instr){
                    .run = kernel_steps_leave, .op = op, .plan = region, .out = KERNEL_NO_OFFSET});
    return NULL;
}

static struct error *build_if(struct kernel_builder *b, const struct kernel_op *op)
{
    struct kernel_instr test = instr_of(b, op);
    test.run = kernel_steps_branch;
    define_all(b, op->results, op->result_count);
    int at = push(b, test);
    TRY(build_branch(b, op, 0));
    int jump = push_jump(b, op, 0);
    b->instrs.items[at].target = here(b);
    TRY(build_branch(b, op, 1));
    b->instrs.items[jump].target = here(b);
    return NULL;
}

static struct error *build_switch(struct kernel_builder *b, const struct kernel_op *op)
{
    int *targets = ARENA_ARRAY(b->arena, int, (size_t)op->region_count);
    int *jumps = ARENA_ARRAY(b->arena, int, (size_t)op->region_count);
    struct kernel_instr test = instr_of(b, op);
    test.run = kernel_steps_switch;
    test.plan = targets;
    test.bytes[0] = dtype_bytes(op->operands[0]->type->dtype);
    define_all(b, op->results, op->result_count);
    push(b, test);
    for (int i = 0; i < op->region_count; i++) {
        targets[i] = here(b);
        TRY(build_branch(b, op, i));
        jumps[i] = push_jump(b, op, 0);
    }
    for (int i = 0; i < op->region_count; i++)
        b->instrs.items[jumps[i]].target = here(b);
    return NULL;
}

/* The results are the block's arguments: both have one place. */
static struct error *build_for(struct kernel_builder *b, const struct kernel_op *op)
{
    const struct kernel_block *body = &op->regions[0];
    const struct kernel_op *last;
    for (int i = 0; i < op->result_count; i++)
        b->slots[op->results[i].id].same = body->arguments[1 + i].id;
    push_copies(b, op, 3, body->arguments + 1, op->result_count);
    push_copies(b, op, 0, body->arguments, 1);
    open_loop(b);
    struct kernel_instr test = instr_of(b, op);
    test.run = kernel_steps_for_test;
    test.in[0] = (size_t)place_of(b, &body->arguments[0]);
    test.bytes[0] = dtype_bytes(body->arguments[0].type->dtype);
    test.out = KERNEL_NO_OFFSET;
    touch(b, &body->arguments[0]);
    int at = push(b, test);
    TRY(build_block(b, body, &last));
    push_copies(b, last, 0, body->arguments + 1, op->result_count);
    test.run = kernel_steps_for_next;
    test.target = at;
    touch(b, &body->arguments[0]);
    touch(b, op->operands[1]);
    touch(b, op->operands[2]);
    push(b, test);
    close_loop(b);
    b->instrs.items[at].target = here(b);
    return NULL;
}

static struct error *build_while(struct kernel_builder *b, const struct kernel_op *op)
{
    const struct kernel_block *before = &op->regions[0], *after = &op->regions[1];
    const struct kernel_op *condition, *last;
    push_copies(b, op, 0, before->arguments, before->argument_count);
    define_all(b, after->arguments, after->argument_count);
    define_all(b, op->results, op->result_count);
    push_jump(b, op, here(b) + 1); /* loops begin behind what they keep */
    open_loop(b);
    int head = here(b);
    TRY(build_block(b, before, &condition));
    struct kernel_instr test = instr_of(b, condition);
    test.run = kernel_steps_branch;
    int at = push(b, test);
    push_copies(b, condition, 1, after->arguments, after->argument_count);
    TRY(build_block(b, after, &last));
    push_copies(b, last, 0, before->arguments, before->argument_count);
    push(b, (struct kernel_instr){
                .run = kernel_steps_repeat, .op = op, .target = head, .out = KERNEL_NO_OFFSET});
    b->instrs.items[at].target = here(b);
    push_copies(b, condition, 1, op->results, op->result_count);
    close_loop(b);
    return NULL;
}

static struct error *build_control(struct kernel_builder *b, const struct kernel_op *op)
{
    switch (op->code) {
    case KERNEL_IF: return build_if(b, op);
    case KERNEL_INDEX_SWITCH: return build_switch(b, op);
    case KERNEL_FOR: return build_for(b, op);
    case KERNEL_WHILE: return build_while(b, op);
    case KERNEL_REGION: return build_region(b, op);
    case KERNEL_TRACE: define_all(b, op->results, op->result_count); return build_branch(b, op, 0);
    case KERNEL_ASSERT: {
        struct kernel_instr test = instr_of(b, op);
        test.run = kernel_steps_assert;
        push(b, test);
        return NULL;
    }
    default: return NULL;
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static bool is_terminator(enum kernel_code code)
{
    return code == KERNEL_YIELD || code == KERNEL_CONDITION || code == KERNEL_TPU_YIELD ||
           code == KERNEL_RETURN;
}

static struct error *build_op(struct kernel_builder *b, const struct kernel_op *op)
{
    if (kernel_op_info(op->code)->class == KERNEL_CLASS_CONTROL)
        return build_control(b, op);
    if (kernel_select_is_same(op)) {
        b->slots[op->results[0].id].same = place_of(b, op->operands[0]);
        return NULL;
    }
    if (op->code == KERNEL_CONSTANT || kernel_op_info(op->code)->class == KERNEL_CLASS_MARK) {
        for (int i = 0; i < op->result_count; i++)
            b->slots[op->results[i].id].is_constant = true;
        return NULL;
    }
    struct kernel_instr in = instr_of(b, op);
    TRY(kernel_select(b->arena, b->machine, op, &in));
    push(b, in);
    return NULL;
}

static struct error *build_block(struct kernel_builder *b, const struct kernel_block *block,
                                 const struct kernel_op **terminator)
{
    *terminator = NULL;
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        if (is_terminator(op->code)) {
            *terminator = op;
            for (int i = 0; i < op->operand_count; i++)
                touch(b, op->operands[i]);
        } else if (is_needed(b, op)) {
            TRY(build_op(b, op));
        }
    }
    return NULL;
}

static void init_block(struct kernel_builder *b, const struct kernel_block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        b->slots[block->arguments[i].id].bytes = kernel_build_bytes(block->arguments[i].type);
    for (const struct kernel_op *op = block->first; op; op = op->next) {
        for (int i = 0; i < op->result_count; i++)
            b->slots[op->results[i].id].bytes = kernel_build_bytes(op->results[i].type);
        for (int i = 0; i < op->region_count; i++)
            init_block(b, &op->regions[i]);
    }
}

/* Arguments and what the function returns are there from its beginning to its end. */
static void keep_to_end(struct kernel_builder *b, const struct kernel_op *last)
{
    for (int i = 0; i < b->function->body.argument_count; i++)
        touch(b, &b->function->body.arguments[i]);
    for (int i = 0; last && i < last->operand_count; i++)
        touch(b, last->operands[i]);
}

struct error *kernel_build(struct arena *arena, struct kernel_machine *machine,
                           const struct kernel_function *function, struct kernel_listing *out)
{
    struct kernel_builder b = {.arena = arena, .machine = machine, .function = function};
    const struct kernel_op *last;
    b.slots = ARENA_ARRAY(arena, struct kernel_slot, (size_t)function->value_count);
    for (int i = 0; i < function->value_count; i++)
        b.slots[i] = (struct kernel_slot){.start = -1, .same = i};
    init_block(&b, &function->body);
    mark_used(&b, &function->body);
    define_all(&b, function->body.arguments, function->body.argument_count);
    TRY(build_block(&b, &function->body, &last));
    keep_to_end(&b, last);
    *out = (struct kernel_listing){
        .function = function, .instrs = b.instrs.items, .count = (int)b.instrs.count};
    return kernel_frame_assign(&b, out);
}
