/* model_buffers.c: see model_buffers.h. */
#include "compiler/model/memory/model_buffers.h"

#include "compiler/analysis/memory_copy.h"
#include "compiler/model/kernels/model_narrow.h"
#include "compiler/model/kernels/model_positions.h"
#include "compiler/model/kernels/model_role.h"
#include "compiler/model/kernels/model_traffic.h"
#include "compiler/model/memory/model_scratch.h"
#include "compiler/model/units/model_update.h"
#include "compiler/tiled_shape.h"

/* ---- buffers --------------------------------------------------------------------------------- */
static struct model_buffer *make_buffer(struct model *model, const struct value *value)
{
    const struct model_value *note = model_value(value);
    struct model_buffer *buffer = ARENA_NEW(model->arena, struct model_buffer);
    *buffer = (struct model_buffer){.value = value,
                                    .bytes = model_traffic_size(model, value),
                                    .memory = value->type->shape.memory,
                                    .first = note->first,
                                    .last = note->last};
    VEC_PUSH(model->arena, &model->buffers, buffer);
    return buffer;
}

/* Whether devices write to each other's results. These are not the program's results, but copied
 * to them. */
static bool is_exchange(enum op_code code)
{
    return code == OP_all_gather || code == OP_all_to_all;
}

/* Whether the operation computes elements, rather than only giving its operand's other names. */
static bool computes(const struct op *op)
{
    return model_role(op) != MODEL_FREE && op->code != OP_reshape && op->code != OP_transpose;
}

/* Whether several operations make each element of the group's results of elements at known places:
 * only such kernels write to the vector memories of several cores, each its own part. Products,
 * collectives, sorts, gathers, scatters, and operations that are a kernel by themselves write to
 * HBM, as all dumps for v5p show. */
static bool is_loop(const struct model_group *group)
{
    int computed = 0;
    for (int i = 0; i < group->op_count; i++) {
        enum model_role role = model_role(group->ops[i]);
        bool is_update = group->ops[i]->code == OP_dynamic_update_slice;
        if (role == MODEL_PRODUCT || (role == MODEL_OPAQUE && group->ops[i]->code != OP_constant) ||
            (role == MODEL_UPDATE && !is_update))
            return false;
        computed += computes(group->ops[i]);
    }
    return computed > 1;
}

static void make_results(struct model *model, const struct model_group *group)
{
    const struct op *root = group->root;
    bool split = model_has_split_vmem(model->accelerator);
    model_scratch(model, group);
    for (int k = 0; k < root->result_count; k++) {
        if (root->results[k].type->kind != TYPE_TENSOR)
            continue;
        struct model_buffer *buffer = make_buffer(model, &root->results[k]);
        model_value(&root->results[k])->buffer = buffer;
        if (root->code == OP_dynamic_update_slice && model_update_is_relaid(root))
            buffer->bytes = model_update_bytes(model, root);
        buffer->in_hbm =
            memory_copy_is(root) || (split && !group->inside && !is_loop(group)) ||
            (model->accelerator->exchanges_in_hbm && (op_info(root->code)->traits & OP_COLLECTIVE));
    }
}

/* Other cores than those of VMEM read what they exchange, too. */
static void mark_exchanged(const struct model *model, const struct model_group *group)
{
    if (!model->accelerator->exchanges_in_hbm ||
        !(op_info(group->root->code)->traits & OP_COLLECTIVE))
        return;
    for (int i = 0; i < group->read_count; i++)
        if (model_value(group->reads[i].value)->buffer)
            model_buffer_of(group->reads[i].value)->in_hbm = true;
}

/* What a loop carries is in the place of its results. */
static void make_carried(const struct model_group *loop)
{
    for (int i = 0; i < loop->root->operand_count; i++) {
        struct model_buffer *buffer = model_value(&loop->root->results[i])->buffer;
        if (!buffer)
            continue;
        buffer->first = loop->begin;
        buffer->loop = loop;
        for (int k = 0; k < loop->root->region_count; k++)
            model_value(&loop->root->regions[k]->arguments[i])->buffer = buffer;
    }
}

static void make_aliases(struct model *model, const struct op *op)
{
    for (int i = 0; i < op->result_count; i++) {
        const struct model_value *from = model_value(op->operands[i]);
        if (op->results[i].type->kind == TYPE_TENSOR)
            model_value(&op->results[i])->buffer =
                from->buffer ? from->buffer : make_buffer(model, &op->results[i]);
    }
}

static void make_buffers(struct model *model, const struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        make_results(model, block->groups.items[i]);
        mark_exchanged(model, block->groups.items[i]);
        if (block->groups.items[i]->root->code == OP_while)
            make_carried(block->groups.items[i]);
    }
    for (const struct op *op = block->block->first; op; op = op->next)
        if (model_role(op) == MODEL_ALIAS)
            make_aliases(model, op);
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            make_buffers(model, group->inside[k]);
    }
}

static int64_t later(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Makes `part` a part of `whole`. */
static void join(struct model_buffer *part, struct model_buffer *whole)
{
    if (part == whole)
        return;
    part->same = whole;
    whole->first = part->first < whole->first ? part->first : whole->first;
    whole->last = later(part->last, whole->last);
    whole->bytes = part->bytes > whole->bytes ? part->bytes : whole->bytes;
    whole->in_hbm |= part->in_hbm;
    if (!whole->loop)
        whole->loop = part->loop;
}

static bool is_temporary(const struct model_buffer *buffer)
{
    return buffer && buffer->storage == MODEL_TEMPORARY && buffer->memory == MEMORY_DEVICE;
}

/* Whether a value, and what shares its buffer, is not read after the position. What loops carry is
 * in use everywhere in them, but its values follow each other. */
static bool is_over(const struct value *value, int64_t position)
{
    const struct model_value *note = model_value(value);
    if (!note->stored || !note->buffer || note->last > position)
        return false;
    const struct model_buffer *buffer = model_buffer_of(value);
    bool may_take =
        buffer->storage == MODEL_TEMPORARY || (buffer->storage == MODEL_ARGUMENT && buffer->given);
    return may_take && buffer->memory == MEMORY_DEVICE &&
           (buffer->loop || buffer->last <= position);
}

/* ---- in place -------------------------------------------------------------------------------- */
/* Whether a value may be where the other one was: both have the same type in memory. */
static bool is_alike(const struct model *model, const struct value *a, const struct value *b)
{
    return model_narrow_has(model, a) == model_narrow_has(model, b);
}

/* An update writes to its first operand where that is not read later. */
static void update_in_place(const struct model *model, const struct model_group *group)
{
    const struct op *root = group->root;
    for (int i = 0; i < root->result_count && i < root->operand_count; i++)
        if (is_over(root->operands[i], group->end) &&
            is_alike(model, root->operands[i], &root->results[i]))
            join(model_buffer_of(&root->results[i]), model_buffer_of(root->operands[i]));
}

/* Whether a reduction reads the value: it is then made in the kernel of the value. */
static bool is_reduced(const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (model_role(use->user) == MODEL_REDUCE)
            return true;
    return false;
}

static bool has(const struct model_group *group, enum op_code code)
{
    for (int i = 0; i < group->op_count; i++)
        if (group->ops[i]->code == code)
            return true;
    return false;
}

/* Whether what follows the kernel's product is computed by the kernel that reads the result: larger
 * matrix units leave less time for exponentials and the like beside a product. */
static bool ends_with_product(const struct model *model, const struct model_group *group)
{
    enum { LARGE_UNIT = 256 };
    bool is_slow = false;
    for (int i = 0; i < group->op_count; i++)
        is_slow |= (op_info(group->ops[i]->code)->traits & OP_TRANSCENDENTAL) != 0;
    return model->accelerator->matrix_unit_size >= LARGE_UNIT && is_slow &&
           has(group, OP_dot_general);
}

/* Whether `old` is read for the product itself that `value` ends, rather than after it. */
static bool is_multiplied(const struct value *old, const struct value *value)
{
    const struct model_group *group = model_value(value)->group;
    for (int i = 0; group && i < group->read_count; i++)
        if (group->reads[i].value == old)
            return group->reads[i].is_multiplied;
    return false;
}

/* Whether the group's kernel makes each element of those at the same place, and by itself. */
static bool is_computed_in_place(const struct model *model, const struct model_group *group)
{
    return model_role(group->root) == MODEL_FUSIBLE && group->root->code != OP_transpose &&
           !is_reduced(&group->root->results[0]) && !has(group, OP_convolution) &&
           !ends_with_product(model, group);
}

/* Whether the value is a copy, in another layout or memory, that is written while it is awaited. */
static bool is_copy(const struct value *value)
{
    return value->def && (value->def->code == OP_transpose || value->def->code == OP_copy);
}

/* Whether one may be where the other is: both are in HBM, and nothing else has that memory. */
static bool may_meet(const struct model_buffer *from, const struct model_buffer *to)
{
    return is_temporary(from) && !from->in_vmem && !from->loop && from != to &&
           from->bytes == to->bytes && !to->in_vmem &&
           (to->storage == MODEL_RESULT ? to->is_free_before : is_temporary(to));
}

/* Whether the value is one of several results of its kernel, over which no other kernel writes: so
 * it is in all 13 places of 8 dumps, where kernels write over what is the only result. Not known of
 * images, whose kernels the compiler forms in other ways. */
static bool is_one_of_several(const struct model *model, const struct value *value)
{
    return model->kernel_results[model_value(value)->maker] > 1 &&
           !model_traffic_is_image(model, value);
}

/* A kernel that computes each element from those at the same place writes over an operand, and so
 * does an all-reduce; not one with windows, which reads an operand's elements several times. */
static void compute_in_place(const struct model *model, const struct model_group *group,
                             bool in_kernel)
{
    struct model_buffer *to = model_buffer_of(&group->root->results[0]);
    if (group->root->code != OP_all_reduce && !is_computed_in_place(model, group))
        return;
    for (int i = 0; i < group->read_count; i++) {
        struct model_buffer *from = model_buffer_of(group->reads[i].value);
        if (in_kernel && model_value(group->reads[i].value)->maker != group->kernel)
            continue;
        if (from && may_meet(from, to) && !is_copy(group->reads[i].value) &&
            !group->reads[i].is_multiplied &&
            (in_kernel || !is_one_of_several(model, group->reads[i].value)) &&
            from->last == group->begin && to->first == group->begin) {
            join(from, to);
            return;
        }
    }
}

static void compute_all_in_place(const struct model *model, const struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        const struct op *root = group->root;
        for (int k = 0; group->inside && k < root->region_count; k++)
            compute_all_in_place(model, group->inside[k]);
        if (!group->inside && model_role(root) != MODEL_UPDATE && root->result_count == 1 &&
            model_value(&root->results[0])->buffer)
            compute_in_place(model, group, false);
    }
}

/* ---- reshapes -------------------------------------------------------------------------------- */
static bool is_result(const struct model *model, const struct value *value)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user == model->module->entry->body->last)
            return true;
    return false;
}

/* Whether a value may have another name: a result is copied from an argument that stays. */
static bool may_share(const struct model *model, const struct value *from, const struct value *to)
{
    const struct model_buffer *buffer = model_value(from)->buffer ? model_buffer_of(from) : NULL;
    bool stays = buffer && buffer->storage == MODEL_ARGUMENT && !buffer->given;
    return buffer && !(stays && is_result(model, to));
}

/* Whether the group only gives a stored value other dimensions, in the same bytes. */
static bool is_bitcast(const struct model *model, const struct model_group *group)
{
    const struct op *root = group->root;
    const struct value *from = root->operand_count ? root->operands[0] : NULL;
    return root->code == OP_reshape && group->op_count == 1 &&
           may_share(model, from, &root->results[0]) && is_alike(model, from, &root->results[0]) &&
           from->type->shape.memory == root->results[0].type->shape.memory &&
           model_traffic_size(model, from) == model_traffic_size(model, &root->results[0]);
}

/* Both names of the bytes are in use until neither is read. */
static void share_bytes(const struct model_group *group)
{
    struct model_value *from = model_value(group->root->operands[0]);
    struct model_value *to = model_value(&group->root->results[0]);
    join(model_buffer_of(&group->root->results[0]), model_buffer_of(group->root->operands[0]));
    from->last = to->last = later(to->last, from->last);
}

/* ---- loops ----------------------------------------------------------------------------------- */
struct slot { /* what a loop carries at one index */
    const struct model_group *loop;
    const struct value *initial, *argument, *next, *result;
    struct model_buffer *buffer;
};

static struct slot slot_of(const struct model_group *loop, int i)
{
    const struct op *op = loop->root;
    return (struct slot){.loop = loop,
                         .initial = op->operands[i],
                         .argument = &op->regions[1]->arguments[i],
                         .next = op->regions[1]->last->operands[i],
                         .result = &op->results[i],
                         .buffer = model_buffer_of(&op->results[i])};
}

/* Whether a value may be written over an older one. A product cannot write over what it reads. */
static bool may_follow(const struct value *value, const struct value *old)
{
    int64_t first = model_buffer_of(value)->first, last = model_value(old)->last;
    return first > last || (first == last && !is_multiplied(old, value));
}

/* Whether the next value can be written to the place of the present one. */
static bool takes_next(const struct model *model, const struct slot *slot)
{
    const struct model_value *note = model_value(slot->next);
    if (!note->stored || !note->buffer || !is_alike(model, slot->next, slot->argument))
        return false;
    const struct model_buffer *buffer = model_buffer_of(slot->next);
    return is_temporary(buffer) && buffer->loop != slot->loop &&
           may_follow(slot->next, slot->argument);
}

/* A next value that has a place of its own is copied, where the loop carries it. */
static void mark_next(const struct slot *slot)
{
    const struct model_value *note = model_value(slot->next);
    if (note->stored && note->buffer && !model_buffer_of(slot->next)->loop)
        model_buffer_of(slot->next)->loop = slot->loop;
}

static void share_slot(const struct model *model, const struct slot *slot)
{
    struct model_buffer *initial =
        model_value(slot->initial)->buffer ? model_buffer_of(slot->initial) : NULL;
    if (!is_alike(model, slot->initial, slot->argument))
        return;
    bool is_argument = initial && initial->storage == MODEL_ARGUMENT;
    if (is_argument && model_traffic_is_retiled(model, slot->initial))
        return;
    if (slot->next == slot->argument && initial) {
        join(slot->buffer, initial);
        return;
    }
    if (is_over(slot->initial, slot->loop->begin))
        join(slot->buffer, initial);
}

/* Whether each iteration writes a part of it: results of all iterations, one after another. Several
 * cores do not write such parts to their vector memories: in no dump of 5 loops for v5p. */
static bool is_stack(const struct slot *slot)
{
    const struct op *def = slot->next->def;
    return def && def->code == OP_dynamic_update_slice && def->operands[0] == slot->argument;
}

static void share_loop(const struct model *model, const struct model_group *loop)
{
    for (int i = 0; i < loop->root->operand_count; i++) {
        const struct slot slot = slot_of(loop, i);
        if (!slot.buffer)
            continue;
        slot.buffer->in_hbm |= is_stack(&slot) && model_has_split_vmem(model->accelerator);
        if (slot.next != slot.argument && takes_next(model, &slot))
            join(model_buffer_of(slot.next), slot.buffer);
        else if (slot.next != slot.argument)
            mark_next(&slot);
        share_slot(model, &slot);
    }
}

/* ---- sharing --------------------------------------------------------------------------------- */
static void share_branches(const struct model_group *group)
{
    const struct op *op = group->root;
    for (int k = 0; k < op->region_count; k++)
        for (int i = 0; i < op->result_count; i++) {
            const struct value *from = op->regions[k]->last->operands[i];
            const struct model_value *note = model_value(from);
            struct model_buffer *to = model_buffer_of(&op->results[i]);
            bool is_inside = from->def && from->def->block == op->regions[k];
            if (note->stored && note->buffer && is_inside && is_temporary(model_buffer_of(from)))
                join(model_buffer_of(from), to);
        }
}

static void share(const struct model *model, struct model_block *block);

static void share_group(const struct model *model, const struct model_group *group)
{
    const struct op *root = group->root;
    for (int k = 0; group->inside && k < root->region_count; k++)
        share(model, group->inside[k]);
    if (root->code == OP_while)
        share_loop(model, group);
    else if (group->inside)
        share_branches(group);
    else if (is_bitcast(model, group))
        share_bytes(group);
    else if (model_role(root) == MODEL_UPDATE || root->code == OP_sort)
        update_in_place(model, group);
    else if (root->result_count == 1 && model_value(&root->results[0])->buffer)
        compute_in_place(model, group, true);
}

static void share(const struct model *model, struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++)
        share_group(model, block->groups.items[i]);
}

/* ---- arguments and results ------------------------------------------------------------------- */
static void add_arguments(struct model *model)
{
    const struct func *entry = model->module->entry;
    for (int i = 0; i < entry->body->argument_count; i++) {
        const struct value *value = &entry->body->arguments[i];
        const struct argument_info *info = entry->argument_infos ? &entry->argument_infos[i] : NULL;
        if (value->type->kind != TYPE_TENSOR)
            continue;
        struct model_buffer *buffer = make_buffer(model, value);
        buffer->storage = MODEL_ARGUMENT;
        buffer->given = info && (info->donated || info->alias_result >= 0);
        model_value(value)->buffer = buffer;
    }
}

/* Bytes of a result as its kernel writes it, if that is not the program's layout: images, and
 * products, one of whose own dimensions is the minor one. 0: the kernel writes the result. */
static uint64_t relaid_bytes(const struct model *model, const struct value *value)
{
    const struct model_value *note = model_value(value);
    const struct shape *shape = &value->type->shape;
    uint64_t entry = tiled_shape_bytes(model->accelerator, shape);
    bool is_product = note->lead && model_role(note->lead) == MODEL_PRODUCT && shape->rank >= 2;
    uint64_t own = model_traffic_size(model, value);
    if (is_product && !model_traffic_is_image(model, value)) {
        int last = shape->rank - 1;
        uint64_t transposed = tiled_shape_bytes_in(model->accelerator, shape, last - 1, last);
        own = tiled_shape_bytes_in(model->accelerator, shape, last, last - 1);
        own = transposed < own ? transposed : own;
    }
    return own != entry ? own : 0;
}

/* A result is written to its own memory, unless that of the argument it takes is still read, or it
 * has to be copied to another layout. */
static void place_results(struct model *model)
{
    const struct func *entry = model->module->entry;
    const struct op *last = entry->body->last;
    for (int i = 0; i < last->operand_count; i++) {
        const struct value *value = last->operands[i];
        if (!model_value(value)->stored || !model_value(value)->buffer)
            continue;
        struct model_buffer *buffer = model_buffer_of(value);
        int argument = model->aliases[i];
        bool is_free = argument < 0 || may_follow(value, &entry->body->arguments[argument]);
        bool is_copied = value->def &&
                         (is_exchange(value->def->code) ||
                          (value->def->code == OP_while && model_traffic_is_retiled(model, value)));
        uint64_t relaid = relaid_bytes(model, value);
        model_value(value)->is_copied =
            buffer->storage == MODEL_TEMPORARY && (relaid || !is_free || is_copied);
        if (buffer->storage == MODEL_TEMPORARY && relaid)
            buffer->bytes = relaid;
        else if (buffer->storage == MODEL_TEMPORARY && is_free && !is_copied)
            buffer->storage = MODEL_RESULT, buffer->is_free_before = argument < 0;
    }
}

/* ---- traffic --------------------------------------------------------------------------------- */
static void add_traffic(const struct model *model, const struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            add_traffic(model, group->inside[k]);
        if (group->inside)
            continue;
        for (int k = 0; k < group->read_count; k++)
            if (model_value(group->reads[k].value)->buffer)
                model_buffer_read(&group->reads[k])->traffic +=
                    block->times * group->reads[k].bytes;
        for (int k = 0; k < group->root->result_count; k++)
            if (model_value(&group->root->results[k])->buffer)
                model_buffer_of(&group->root->results[k])->traffic +=
                    block->times * model_traffic_written(model, group->root, k);
    }
}

void model_buffers(struct model *model)
{
    model_positions(model);
    add_arguments(model);
    make_buffers(model, model->entry);
    share(model, model->entry);
    place_results(model);
    model_scratch_of_loops(model);
    add_traffic(model, model->entry);
}

void model_buffers_in_place(struct model *model)
{
    compute_all_in_place(model, model->entry);
}
