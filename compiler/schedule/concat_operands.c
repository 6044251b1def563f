/* concat_operands.c: see concat_operands.h. */
#include "compiler/schedule/concat_operands.h"

#include "compiler/schedule/analysis.h"

struct list {
    struct arena *arena;
    struct concat_operand *pieces;
    int count; /* more than CONCATENATION_NESTS: they were too many */
};

static bool is_divided(const struct value *value)
{
    return value->def && value->def->code == OP_concatenate &&
           concatenation_has_long_runs(value->def);
}

static void add(struct list *list, const struct value *value, const int64_t *origin)
{
    int rank = value->type->shape.rank;
    if (!is_divided(value)) {
        if (list->count < CONCATENATION_NESTS)
            list->pieces[list->count] = (struct concat_operand){value, origin};
        list->count++;
        return;
    }
    int64_t dim = value->def->attrs.dimension.dimension, before = 0;
    for (int i = 0; i < value->def->operand_count && list->count <= CONCATENATION_NESTS; i++) {
        int64_t *at = arena_copy(list->arena, origin, (size_t)rank * sizeof *at);
        at[dim] += before;
        add(list, value->def->operands[i], at);
        before += value->def->operands[i]->type->shape.dims[dim];
    }
}

int concat_operands_of(struct arena *arena, const struct value *root, struct concat_operand *pieces)
{
    struct list list = {arena, pieces, 0};
    if (!is_divided(root) || !concatenation_is_divided(root->def) || analysis_has_loop(root))
        return 0;
    add(&list, root, ARENA_ARRAY(arena, int64_t, root->type->shape.rank + 1));
    return list.count <= CONCATENATION_NESTS ? list.count : 0;
}

/* Whether the work items of a nest are rows: all that it stores at an index of the outer axes. */
static bool has_rows_as_items(const struct nest *nest)
{
    const struct schedule *schedule = &nest->schedule;
    int64_t rows = 1;
    for (int i = 0; i < schedule->outer; i++)
        rows *= schedule->axis[i].size;
    return nest->into && schedule->tile < 0 && schedule->outer > 0 && schedule->work == rows;
}

/* Whether the rows of two nests are at the same indices of the same result. */
static bool share_rows(const struct nest *a, const struct nest *b)
{
    int last = a->schedule.axis[a->schedule.outer - 1].dim;
    if (a->results[0] != b->results[0] || b->schedule.axis[b->schedule.outer - 1].dim != last)
        return false;
    for (int i = 0; i <= last; i++)
        if (a->shape->shape.dims[i] != b->shape->shape.dims[i] || a->origin[i] != b->origin[i])
            return false;
    return true;
}

int concat_operands_in_one_loop(const struct nest *nests, int count)
{
    int together = 1;
    while (together < count && has_rows_as_items(nests) && has_rows_as_items(&nests[together]) &&
           share_rows(nests, &nests[together]))
        together++;
    return together;
}
