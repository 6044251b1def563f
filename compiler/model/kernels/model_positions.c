/* model_positions.c: see model_positions.h. */
#include "compiler/model/kernels/model_positions.h"

#include "compiler/analysis/memory_copy.h"
#include "compiler/model/kernels/model_role.h"

static void number(struct model *model, struct model_block *block)
{
    block->begin = model->positions++;
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        group->begin = group->end = model->positions++;
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            number(model, group->inside[k]);
        if (group->inside)
            group->end = model->positions++;
    }
    block->end = model->positions++;
}

static void set_first(struct model_value *value, int64_t position)
{
    value->first = value->last = position;
}

/* Whether the operation copies an argument of the program to the device, which it can do at any
 * time. */
static bool fetches_argument(const struct op *op)
{
    return memory_copy_is(op) && !op->operands[0]->def &&
           op->operands[0]->type->shape.memory != MEMORY_DEVICE;
}

/* Copies of the program's arguments from the host take long, and are all started as soon as the
 * loop or branch before them ends. */
static void set_firsts(struct model_block *block)
{
    int64_t start = block->begin;
    for (int i = 0; i < block->block->argument_count; i++)
        set_first(model_value(&block->block->arguments[i]), block->begin);
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        bool is_early = !block->parent && fetches_argument(group->root);
        for (int k = 0; k < group->root->result_count; k++)
            set_first(model_value(&group->root->results[k]), is_early ? start : group->end);
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            set_firsts(group->inside[k]);
        start = group->inside ? group->end : start;
    }
}

/* The position until which a value is in use that is read at `position` in `block`: the end of the
 * outermost loop or branch that does not have it. */
static int64_t end_of_use(const struct value *value, const struct model_block *block,
                          int64_t position)
{
    const struct block *home = ir_block_of(value);
    while (block->block != home && block->owner) {
        position = block->owner->end;
        block = block->parent;
    }
    return position;
}

static void use(const struct value *value, const struct model_block *block, int64_t position)
{
    struct model_value *note = model_value(value);
    int64_t end = end_of_use(value, block, position);
    if (end > note->last)
        note->last = end;
}

static void set_lasts(struct model_block *block)
{
    const struct op *last = block->block->last;
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        for (int k = 0; k < group->read_count; k++)
            use(group->reads[k].value, block, group->begin);
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            set_lasts(group->inside[k]);
    }
    for (int i = 0; i < last->operand_count; i++)
        use(last->operands[i], block, block->end);
}

/* An alias is in use as long as its results are. Backward, since aliases have aliases. */
static void extend_aliases(const struct block *block)
{
    for (const struct op *op = block->last; op; op = op->previous) {
        for (int i = 0; model_role(op) == MODEL_ALIAS && i < op->result_count; i++) {
            struct model_value *from = model_value(op->operands[i]);
            const struct model_value *to = model_value(&op->results[i]);
            from->last = to->last > from->last ? to->last : from->last;
        }
        for (int i = 0; model_role(op) == MODEL_CONTROL && i < op->region_count; i++)
            extend_aliases(op->regions[i]);
    }
}

void model_positions(struct model *model)
{
    number(model, model->entry);
    set_firsts(model->entry);
    set_lasts(model->entry);
    extend_aliases(model->entry->block);
}
