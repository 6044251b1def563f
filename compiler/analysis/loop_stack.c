/* loop_stack.c: see loop_stack.h. */
#include "compiler/analysis/loop_stack.h"

#include "compiler/analysis/loop_index.h"
#include "compiler/analysis/trip_count.h"

/* The value behind copies of which nothing else is used; NULL if the value has other uses. */
static const struct value *only_source(const struct value *value)
{
    while (ir_has_one_use(value) && value->def && value->def->code == OP_copy)
        value = value->def->operands[0];
    return ir_has_one_use(value) ? value : NULL;
}

/* The update of a fusion in place that computes a value, or NULL. */
static const struct op *update_of(const struct value *value)
{
    const struct op *fusion = value->def;
    if (!fusion || fusion->code != OP_fusion || fusion->attrs.fusion.fusion_kind != FUSION_UPDATE)
        return NULL;
    const struct value *answer = fusion->regions[0]->last->operands[value->index];
    return ir_has_one_use(answer) && answer->def && answer->def->code == OP_dynamic_update_slice
               ? answer->def
               : NULL;
}

/* Whether the updates of all iterations together are the whole array. */
static bool covers_array(const struct op *loop, const struct op *update)
{
    const struct shape *array = &update->operands[0]->type->shape,
                       *part = &update->operands[1]->type->shape;
    int64_t count = trip_count_after_copies(loop);
    int stacked = 0; /* dimensions */
    for (int i = 0; i < array->rank; i++) {
        if (part->dims[i] == array->dims[i])
            continue;
        if (stacked++ || part->dims[i] != 1 || array->dims[i] != count ||
            !loop_index_is_each(loop, update->operands[2 + i], count))
            return false;
    }
    return count > 0;
}

bool loop_stack_is_overwritten(const struct op *loop, int i)
{
    const struct block *body = loop->regions[1];
    if (loop->regions[0]->arguments[i].uses)
        return false;
    const struct value *result = only_source(body->last->operands[i]);
    const struct op *update = result ? update_of(result) : NULL;
    const struct value *array = update ? update->operands[0] : NULL;
    if (!array || array->def || array->block != result->def->regions[0] || !ir_has_one_use(array))
        return false;
    return only_source(result->def->operands[array->index]) == &body->arguments[i] &&
           covers_array(loop, update);
}

static bool is_overwritten(const struct use *use)
{
    return use->user->code == OP_while && loop_stack_is_overwritten(use->user, use->operand);
}

/* Buffer assignment copies what several loops start with, for each. */
static bool is_unread(const struct value *value, bool copies)
{
    for (const struct use *use = value->uses; use; use = use->next) {
        bool is_copied = copies && use->user->code == OP_copy;
        if (is_copied ? !is_unread(&use->user->results[0], false) : !is_overwritten(use))
            return false;
    }
    return value->uses;
}

bool loop_stack_is_unread(const struct op *op)
{
    if (op->code != OP_copy && op->code != OP_fusion)
        return false;
    for (int i = 0; i < op->result_count; i++)
        if (!is_unread(&op->results[i], true))
            return false;
    return op->result_count > 0;
}
