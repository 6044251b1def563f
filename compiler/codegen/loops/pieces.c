/* pieces.c: see pieces.h. */
#include "compiler/codegen/loops/pieces.h"

#include "compiler/codegen/loops/analysis.h"
#include "compiler/codegen/loops/loops.h"

enum {
    MIN_ELEMENTS = 1024, /* of a result; a small one is not worth the code of several nests */
    MIN_RUN = 16         /* adjacent elements of an operand, on average */
};

struct list {
    struct emitter *e;
    struct piece *pieces;
    int count; /* more than PIECES_MAX: they were too many */
};

/* Whether the parts of a row that come from each operand are long enough for vectors. */
static bool has_long_runs(const struct op *concatenate)
{
    const struct shape *shape = &concatenate->results[0].type->shape;
    int64_t run = 1;
    for (int i = (int)concatenate->attrs.dimension.dimension; i < shape->rank; i++)
        run *= shape->dims[i];
    return run >= (int64_t)MIN_RUN * concatenate->operand_count;
}

static bool is_divided(const struct value *value)
{
    return value->def && value->def->code == OP_concatenate && has_long_runs(value->def);
}

static void add(struct list *list, const struct value *value, const struct affine *origin)
{
    int rank = value->type->shape.rank;
    if (!is_divided(value)) {
        if (list->count < PIECES_MAX)
            list->pieces[list->count] = (struct piece){value, origin};
        list->count++;
        return;
    }
    int64_t dim = value->def->attrs.dimension.dimension, before = 0;
    for (int i = 0; i < value->def->operand_count && list->count <= PIECES_MAX; i++) {
        struct affine *at = arena_copy(list->e->arena, origin, (size_t)rank * sizeof *at);
        at[dim].constant += before;
        add(list, value->def->operands[i], at);
        before += value->def->operands[i]->type->shape.dims[dim];
    }
}

int pieces_of(struct emitter *e, const struct value *root, struct piece *pieces)
{
    struct list list = {e, pieces, 0};
    if (!is_divided(root) || type_elements(root->type) < MIN_ELEMENTS ||
        type_bytes(root->type) >= LOOPS_STREAM_BYTES || analysis_has_loop(root))
        return 0;
    struct affine *origin = affine_array(e, root->type->shape.rank);
    for (int i = 0; i < root->type->shape.rank; i++)
        origin[i] = affine_constant(0);
    add(&list, root, origin);
    return list.count <= PIECES_MAX ? list.count : 0;
}
