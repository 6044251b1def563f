#include "devices/host/kernel_machine/kernel_frame.h"

#include <string.h>

#include "devices/host/kernel_machine/kernel_steps.h"

enum { CLASSES = 64, ALIGNMENT = 64 };

struct free_list {
    VEC(size_t) offsets;
};

/* Places have sizes 2^n and 3 * 2^(n-1), at least ALIGNMENT. */
static int class_of(int64_t bytes, int64_t *size)
{
    int class = 0;
    *size = ALIGNMENT;
    while (*size < bytes) {
        *size = class % 2 ? *size / 3 * 4 : *size / 2 * 3;
        class ++;
    }
    return class;
}

/* ---- constants ------------------------------------------------------------------------------- */
static int64_t add_constants(const struct kernel_builder *b, const struct kernel_block *block,
                             size_t *offsets, char *to, int64_t at);

static void fill_constant(const struct kernel_op *op, char *to)
{
    const struct kernel_type *type = op->results[0].type;
    size_t element = (size_t)dtype_bytes(type->dtype);
    size_t total = element * (size_t)type->elements, given = op->attrs->constant_bytes;
    memcpy(to, op->attrs->constant, given < total ? given : total);
    for (size_t done = element; given == element && done < total; done *= 2)
        memcpy(to + done, to, done < total - done ? done : total - done);
}

static int64_t add_constant(const struct kernel_builder *b, const struct kernel_op *op,
                            size_t *offsets, char *to, int64_t at)
{
    const struct kernel_slot *slot = &b->slots[op->results[0].id];
    int64_t aligned = slot->bytes > 8 ? (at + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT : at;
    if (!slot->is_constant || op->code != KERNEL_CONSTANT)
        return at;
    offsets[op->results[0].id] = (size_t)aligned;
    if (to)
        fill_constant(op, to + aligned);
    return aligned + (slot->bytes + 7) / 8 * 8;
}

static int64_t add_constants(const struct kernel_builder *b, const struct kernel_block *block,
                             size_t *offsets, char *to, int64_t at)
{
    for (const struct kernel_op *op = block->first; op && at <= KERNEL_MAX_FRAME; op = op->next) {
        if (op->result_count > 0)
            at = add_constant(b, op, offsets, to, at);
        for (int i = 0; i < op->region_count; i++)
            at = add_constants(b, &op->regions[i], offsets, to, at);
    }
    return at;
}

/* ---- other values ---------------------------------------------------------------------------- */
struct event_lists { /* values by the instruction where they begin and end */
    int *begins, *ends, *next_begin, *next_end;
};

static struct event_lists list_events(const struct kernel_builder *b)
{
    size_t positions = b->instrs.count + 2, values = (size_t)b->function->value_count;
    struct event_lists lists = {
        ARENA_ARRAY(b->arena, int, positions), ARENA_ARRAY(b->arena, int, positions),
        ARENA_ARRAY(b->arena, int, values + 1), ARENA_ARRAY(b->arena, int, values + 1)};
    for (size_t i = 0; i < positions; i++)
        lists.begins[i] = lists.ends[i] = -1;
    for (int id = b->function->value_count - 1; id >= 0; id--) {
        const struct kernel_slot *slot = &b->slots[id];
        if (slot->same != id || slot->start < 0 || slot->is_constant)
            continue;
        lists.next_begin[id] = lists.begins[slot->start];
        lists.begins[slot->start] = id;
        lists.next_end[id] = lists.ends[slot->end];
        lists.ends[slot->end] = id;
    }
    return lists;
}

static int64_t assign_values(const struct kernel_builder *b, size_t *offsets, int64_t at)
{
    struct free_list *lists = ARENA_ARRAY(b->arena, struct free_list, 2 * CLASSES);
    struct event_lists events = list_events(b);
    int64_t size;
    for (size_t i = 0; i <= b->instrs.count && at <= KERNEL_MAX_FRAME; i++) {
        for (int id = events.begins[i]; id >= 0; id = events.next_begin[id]) {
            struct free_list *list = &lists[class_of(b->slots[id].bytes, &size)];
            if (list->offsets.count > 0) {
                offsets[id] = list->offsets.items[--list->offsets.count];
            } else {
                offsets[id] = (size_t)at;
                at += size;
            }
        }
        for (int id = events.ends[i]; id >= 0; id = events.next_end[id]) {
            struct free_list *list = &lists[class_of(b->slots[id].bytes, &size)];
            VEC_PUSH(b->arena, &list->offsets, offsets[id]);
        }
    }
    return at;
}

/* ---- instructions ---------------------------------------------------------------------------- */
static void resolve_copies(struct kernel_builder *b, struct kernel_instr *in, const size_t *offsets)
{
    struct kernel_copy *copies = ARENA_ARRAY(b->arena, struct kernel_copy, (size_t)in->plan_count);
    memcpy(copies, in->plan, (size_t)in->plan_count * sizeof *copies);
    for (int i = 0; i < in->plan_count; i++) {
        copies[i].from = offsets[copies[i].from_id];
        copies[i].to = offsets[copies[i].to_id];
    }
    in->plan = copies;
}

static void resolve(struct kernel_builder *b, struct kernel_instr *in, const size_t *offsets)
{
    size_t *all = in->all ? ARENA_ARRAY(b->arena, size_t, (size_t)in->op->operand_count) : NULL;
    for (int i = 0; all && i < in->op->operand_count; i++)
        all[i] = offsets[in->all[i]];
    for (int i = 0; all && i < 3 && i < in->op->operand_count; i++)
        in->in[i] = offsets[in->in[i]];
    if (in->out != KERNEL_NO_OFFSET)
        in->out = offsets[in->out];
    in->all = all;
    if (in->run == kernel_steps_copy)
        resolve_copies(b, in, offsets);
}

/* Copies that overwrite what others read go through the core's scratch memory. */
static void reserve_scratch(struct kernel_builder *b, const struct kernel_instr *in)
{
    size_t bytes = 0;
    const struct kernel_copy *copies = in->plan;
    if (in->run != kernel_steps_copy || in->plan_count < 2)
        return;
    for (int i = 0; i < in->plan_count; i++)
        bytes += (copies[i].bytes + 63) / 64 * 64;
    if (bytes > b->machine->scratch_bytes)
        b->machine->scratch_bytes = bytes;
}

struct error *kernel_frame_assign(struct kernel_builder *b, struct kernel_listing *out)
{
    size_t *offsets = ARENA_ARRAY(b->arena, size_t, (size_t)b->function->value_count);
    int64_t *bytes = ARENA_ARRAY(b->arena, int64_t, (size_t)b->function->value_count);
    for (int id = 0; id < b->function->value_count; id++)
        offsets[id] = KERNEL_NO_OFFSET;
    int64_t constants = add_constants(b, &b->function->body, offsets, NULL, 0);
    constants = (constants + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    int64_t total = assign_values(b, offsets, constants);
    if (constants > KERNEL_MAX_FRAME || total > KERNEL_MAX_FRAME)
        return ERROR(RESOURCE_EXHAUSTED,
                     "kernel '%s': the vectors of function %s take more than %lld bytes",
                     b->machine->kernel->name, b->function->name, (long long)KERNEL_MAX_FRAME);
    char *data = arena_alloc(b->arena, (size_t)constants);
    add_constants(b, &b->function->body, offsets, data, 0);
    for (int id = 0; id < b->function->value_count; id++) {
        offsets[id] = offsets[b->slots[id].same];
        bytes[id] = b->slots[id].bytes;
    }
    for (size_t i = 0; i < b->instrs.count; i++) {
        resolve(b, &b->instrs.items[i], offsets);
        reserve_scratch(b, &b->instrs.items[i]);
    }
    out->instrs = b->instrs.items;
    out->frame_bytes = (size_t)total;
    out->constant_bytes = (size_t)constants;
    out->constants = data;
    out->offsets = offsets;
    out->bytes = bytes;
    return NULL;
}
