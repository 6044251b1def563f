/* operand_view.c: see operand_view.h. */
#include "compiler/schedule/operand_view.h"

#include <limits.h>

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
    piece->size /= inner, piece->stride *= inner, piece->bits *= (int)inner;
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

/* Divides a view by the dimensions of a value, and its last dimension, of fields, into bytes. */
static bool divide_fields(struct operand_view *view, const struct shape *shape, int *starts)
{
    const int64_t of_byte = CHAR_BIT / dtype_info(shape->dtype)->bits;
    if (!divide(view, shape, starts) || starts[shape->rank - 1] == starts[shape->rank])
        return false;
    struct operand_piece *last = piece_at(view, starts[shape->rank] - 1);
    if (of_byte <= 1 || last->size <= of_byte)
        return true;
    return last->size % of_byte == 0 && split(view, last, of_byte) && divide(view, shape, starts);
}

/* Steps from the fields of elements, which are the last dimension, to those. */
static bool step_to_elements(struct operand_view *view, const struct shape *fields)
{
    int starts[SHAPE_MAX_RANK + 1], bits = dtype_info(fields->dtype)->bits;
    if (bits < OPERAND_VIEW_LEAST_BITS || !divide_fields(view, fields, starts))
        return false;
    for (int place = starts[fields->rank] - 1; place >= starts[fields->rank - 1]; place--) {
        struct operand_piece *piece = piece_at(view, place);
        piece->place = -1;
        piece->bits = bits;
        bits *= (int)piece->size;
    }
    return true;
}

static bool step_bitcast(struct operand_view *view, const struct op *op)
{
    const struct shape *to = &op->results[0].type->shape;
    const int to_bits = dtype_info(to->dtype)->bits,
              from_bits = dtype_info(op->operands[0]->type->shape.dtype)->bits;
    if (from_bits < to_bits || (from_bits > to_bits && !step_to_elements(view, to)))
        return false;
    if (!view->fields)
        view->fields = to->dtype;
    view->value = op->operands[0];
    return true;
}

static bool step_reverse(struct operand_view *view, const struct op *op)
{
    const struct dims dims = op->attrs.dimensions.dimensions;
    int starts[SHAPE_MAX_RANK + 1];
    if (!divide(view, &op->results[0].type->shape, starts))
        return false;
    for (int64_t i = 0; i < dims.count; i++)
        for (int place = starts[dims.at[i]]; place < starts[dims.at[i] + 1]; place++)
            piece_at(view, place)->is_reversed ^= true;
    view->value = op->operands[0];
    return true;
}

bool operand_view_step_bits(struct operand_view *view)
{
    const struct op *op = view->value->def;
    struct operand_view next = *view;
    if (!op ||
        !(op->code == OP_bitcast_convert ? step_bitcast(&next, op)
                                         : op->code == OP_reverse && step_reverse(&next, op)))
        return false;
    *view = next;
    return true;
}

bool operand_view_part(const struct operand_view *view, const struct op *concatenate,
                       struct operand_view *part, struct operand_view *which)
{
    const struct shape *first = &concatenate->operands[0]->type->shape;
    struct shape parts = *first;
    int64_t along = concatenate->attrs.dimension.dimension, dims[SHAPE_MAX_RANK],
            others[SHAPE_MAX_RANK];
    int starts[SHAPE_MAX_RANK + 1];
    for (int i = 1; i < concatenate->operand_count; i++)
        if (!shape_same_dims(&concatenate->operands[i]->type->shape, first))
            return false;
    *part = *view;
    if (first->rank == SHAPE_MAX_RANK)
        return false;
    for (int i = 0; i <= first->rank; i++)
        dims[i] = i == along ? concatenate->operand_count : first->dims[i > along ? i - 1 : i];
    parts.rank++, parts.dims = dims;
    if (!divide(part, &parts, starts))
        return false;
    for (int i = 0; i < first->rank; i++)
        others[i] = i < along ? i : i + 1;
    *which = *part;
    arrange(which, starts, &along, 1);
    arrange(part, starts, others, first->rank);
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
