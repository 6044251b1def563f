/* update_window.c: see update_window.h. */
#include "compiler/analysis/update_window.h"

static const struct value *answer_of(const struct op *fusion, int i)
{
    return fusion->regions[0]->last->operands[i];
}

const struct op *update_window_op(const struct op *fusion, int i)
{
    const struct op *def = answer_of(fusion, i)->def;
    return def && def->code == OP_dynamic_update_slice ? def : NULL;
}

const struct value *update_window_array(const struct op *fusion, int i)
{
    const struct value *answer = answer_of(fusion, i);
    const struct op *def = answer->def;
    bool updates = def && (def->code == OP_dynamic_update_slice || def->code == OP_scatter);
    return updates ? def->operands[answer->index] : NULL;
}

static bool adds_leading_dims(const struct shape *from, const struct shape *to)
{
    int added = to->rank - from->rank;
    for (int i = 0; i < to->rank; i++)
        if (to->dims[i] != (i < added ? 1 : from->dims[i - added]))
            return false;
    return added > 0;
}

const struct value *update_window_root(const struct op *fusion, int i)
{
    const struct value *answer = answer_of(fusion, i);
    const struct op *update = update_window_op(fusion, i);
    if (!update)
        return update_window_array(fusion, i) ? NULL : answer;
    const struct value *window = update->operands[1];
    const struct op *def = window->def;
    bool adds = def && def->code == OP_reshape &&
                adds_leading_dims(&def->operands[0]->type->shape, &window->type->shape);
    return adds ? def->operands[0] : window;
}

bool update_window_in_one_loop(const struct op *fusion)
{
    const struct value *first = update_window_root(fusion, 0);
    for (int i = 0; i < fusion->result_count; i++) {
        const struct value *root = update_window_root(fusion, i);
        if (!root || !type_same_shape(root->type, first->type))
            return false;
    }
    return fusion->result_count > 0;
}
