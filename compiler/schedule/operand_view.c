/* operand_view.c: see operand_view.h. */
#include "compiler/schedule/operand_view.h"

#include "compiler/schedule/access.h"

bool operand_view_begin(const struct value *array, struct operand_view *out)
{
    const struct shape *shape = &array->type->shape;
    *out = (struct operand_view){.value = array};
    for (int i = 0; i < shape->rank; i++) {
        if (shape->dims[i] == 1)
            continue;
        if (out->count == OPERAND_VIEW_PIECES)
            return false;
        out->at[out->count] =
            (struct operand_piece){.dim = i, .size = shape->dims[i], .place = out->count};
        out->count++;
    }
    return true;
}

/* The piece with a place; NULL: there is none. */
static struct operand_piece *piece_at(struct operand_view *view, int place)
{
    for (int i = 0; i < view->count; i++)
        if (view->at[i].place == place)
            return &view->at[i];
    return NULL;
}

/* Splits a piece in two, of which the inner one has a size that divides it. */
static bool split(struct operand_view *view, struct operand_piece *piece, int64_t inner)
{
    if (view->count == OPERAND_VIEW_PIECES)
        return false;
    const int number = (int)(piece - view->at), place = piece->place;
    for (int i = 0; i < view->count; i++)
        if (place >= 0 && view->at[i].place > place)
            view->at[i].place++;
    for (int i = view->count++; i > number + 1; i--)
        view->at[i] = view->at[i - 1];
    struct operand_piece *next = piece + 1;
    *next = *piece;
    next->size = inner, next->place = place < 0 ? -1 : place + 1;
    piece->size /= inner, piece->stride *= inner;
    return true;
}

/* Splits pieces so that each dimension of a value has whole ones. starts[i] is the place of the
 * first one of dimension i; there is one more. */
static bool divide(struct operand_view *view, const struct shape *shape, int *starts)
{
    int place = 0;
    for (int i = 0; i < shape->rank; i++) {
        starts[i] = place;
        for (int64_t left = shape->dims[i]; left != 1;) {
            struct operand_piece *piece = piece_at(view, place);
            if (!piece || left == 0)
                return false;
            if (piece->size > left &&
                (piece->size % left || !split(view, piece, piece->size / left)))
                return false;
            piece = piece_at(view, place++);
            if (left % piece->size)
                return false;
            left /= piece->size;
        }
    }
    starts[shape->rank] = place;
    return true;
}

/* Gives the pieces of some dimensions their places, in the order of `dims`; others lose theirs. */
static void arrange(struct operand_view *view, const int *starts, const int64_t *dims, int count)
{
    int places[OPERAND_VIEW_PIECES], next = 0;
    for (int i = 0; i < view->count; i++)
        places[i] = -1;
    for (int d = 0; d < count; d++)
        for (int place = dims[d] < 0 ? 0 : starts[dims[d]];
             dims[d] >= 0 && place < starts[dims[d] + 1]; place++)
            places[piece_at(view, place) - view->at] = next++;
    for (int i = 0; i < view->count; i++)
        view->at[i].place = places[i];
}

/* Steps through a transpose or a broadcast. */
static bool step_moved(struct operand_view *view, const struct op *op)
{
    const struct shape *shape = &op->operands[0]->type->shape;
    int64_t dims[SHAPE_MAX_RANK];
    int starts[SHAPE_MAX_RANK + 1];
    if (!divide(view, &op->results[0].type->shape, starts))
        return false;
    for (int i = 0; i < shape->rank; i++)
        dims[i] = access_of(op, 0, i).dim;
    arrange(view, starts, dims, shape->rank);
    return true;
}

bool operand_view_step(struct operand_view *view)
{
    const struct op *op = view->value->def;
    struct operand_view next = *view;
    int starts[SHAPE_MAX_RANK + 1];
    bool steps = false;
    if (op && op->code == OP_reshape)
        steps = divide(&next, &op->operands[0]->type->shape, starts);
    else if (op && (op->code == OP_transpose || op->code == OP_broadcast_in_dim))
        steps = step_moved(&next, op);
    if (!steps)
        return false;
    next.value = op->operands[0];
    *view = next;
    return true;
}

/* The dimension of pairs, the last one, has no place in the bytes. */
static bool step_pairs(struct operand_view *view, const struct op *bitcast, bool is_reversed)
{
    const struct shape *pairs = &bitcast->results[0].type->shape;
    int starts[SHAPE_MAX_RANK + 1];
    if (view->halves || dtype_info(pairs->dtype)->bits != 4 || !divide(view, pairs, starts))
        return false;
    struct operand_piece *pair = piece_at(view, starts[pairs->rank - 1]);
    if (!pair)
        return false;
    view->halves = pairs->dtype;
    pair->is_half = true, pair->high_first = is_reversed, pair->place = -1;
    return true;
}

static bool is_reversal_of_last(const struct op *op)
{
    const struct dims dims = op->attrs.dimensions.dimensions;
    return op->code == OP_reverse && dims.count == 1 &&
           dims.at[0] == op->results[0].type->shape.rank - 1;
}

bool operand_view_step_halves(struct operand_view *view)
{
    const struct op *op = view->value->def;
    const bool is_reversed = op && is_reversal_of_last(op);
    const struct op *bitcast = is_reversed ? op->operands[0]->def : op;
    if (!bitcast || bitcast->code != OP_bitcast_convert ||
        dtype_info(bitcast->operands[0]->type->shape.dtype)->bits != 8)
        return false;
    struct operand_view next = *view;
    const bool is_same = view->halves && !is_reversed &&
                         dtype_info(bitcast->results[0].type->shape.dtype)->bits == 8;
    if (!is_same && !step_pairs(&next, bitcast, is_reversed))
        return false;
    next.value = bitcast->operands[0];
    *view = next;
    return true;
}

void operand_view_finish(struct operand_view *view)
{
    int64_t stride = 1;
    for (int i = 0; i < view->count; i++)
        view->at[i].stride = 0;
    for (int place = view->count - 1; place >= 0; place--) {
        struct operand_piece *piece = piece_at(view, place);
        if (!piece)
            continue;
        piece->stride = stride;
        stride *= piece->size;
    }
}

bool operand_view_align(struct operand_view *a, struct operand_view *b)
{
    for (int i = 0; i < a->count && i < b->count; i++) {
        struct operand_view *longer = a->at[i].size > b->at[i].size ? a : b;
        int64_t outer = (longer == a ? b : a)->at[i].size, size = longer->at[i].size;
        if (size == outer)
            continue;
        if (size % outer || !split(longer, &longer->at[i], size / outer))
            return false;
    }
    return a->count == b->count;
}
