/* pieces.c: see pieces.h. */
#include "compiler/codegen/loops/pieces.h"

#include "compiler/codegen/loops/analysis.h"

_Static_assert((int)CONCATENATION_MOST_BYTES == (int)LOOPS_STREAM_BYTES,
               "nests of pieces do not stream");

struct list {
    struct emitter *e;
    struct piece *pieces;
    int count; /* more than CONCATENATION_PIECES: they were too many */
};

static bool is_divided(const struct value *value)
{
    return value->def && value->def->code == OP_concatenate &&
           concatenation_has_long_runs(value->def);
}

static void add(struct list *list, const struct value *value, const struct affine *origin)
{
    int rank = value->type->shape.rank;
    if (!is_divided(value)) {
        if (list->count < CONCATENATION_PIECES)
            list->pieces[list->count] = (struct piece){value, origin};
        list->count++;
        return;
    }
    int64_t dim = value->def->attrs.dimension.dimension, before = 0;
    for (int i = 0; i < value->def->operand_count && list->count <= CONCATENATION_PIECES; i++) {
        struct affine *at = arena_copy(list->e->arena, origin, (size_t)rank * sizeof *at);
        at[dim].constant += before;
        add(list, value->def->operands[i], at);
        before += value->def->operands[i]->type->shape.dims[dim];
    }
}

int pieces_of(struct emitter *e, const struct value *root, struct piece *pieces)
{
    struct list list = {e, pieces, 0};
    if (!is_divided(root) || !concatenation_is_divided(root->def) || analysis_has_loop(root))
        return 0;
    struct affine *origin = affine_array(e, root->type->shape.rank);
    for (int i = 0; i < root->type->shape.rank; i++)
        origin[i] = affine_constant(0);
    add(&list, root, origin);
    return list.count <= CONCATENATION_PIECES ? list.count : 0;
}

/* Whether the work items of a nest are rows: all that it stores at an index of the outer axes. */
static bool has_rows_as_items(const struct nest *nest)
{
    const struct nest_plan *plan = &nest->plan;
    int64_t rows = 1;
    for (int i = 0; i < plan->outer; i++)
        rows *= plan->axis_size[i];
    return nest->places && plan->tile < 0 && plan->outer > 0 && plan->work == rows;
}

/* Whether the rows of two nests are at the same indices of the same result. */
static bool share_rows(const struct nest *a, const struct nest *b)
{
    int last = a->plan.axis_dim[a->plan.outer - 1];
    const struct placement *at = a->places, *other = b->places;
    if (at->into != other->into || a->pointers != b->pointers ||
        b->plan.axis_dim[b->plan.outer - 1] != last)
        return false;
    for (int i = 0; i <= last; i++)
        if (a->shape->shape.dims[i] != b->shape->shape.dims[i] ||
            at->origin[i].constant != other->origin[i].constant)
            return false;
    return true;
}

int pieces_in_one_loop(const struct nest *nests, int count)
{
    int together = 1;
    while (together < count && has_rows_as_items(nests) && has_rows_as_items(&nests[together]) &&
           share_rows(nests, &nests[together]))
        together++;
    return together;
}
