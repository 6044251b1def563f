/* bounded_reshape.c: reshape of arrays with sizes. Dimensions of operand and result are grouped so
 * that those of a group have as many elements (of the bounds) on both sides: [2, <=6, 5] and
 * [2, <=3, 2, 5] have the groups [2]/[2], [<=6]/[<=3, 2] and [5]/[5]. A group whose only dimension
 * with a size is its outermost one, on both sides, has its elements in a row in front of its
 * padding, as they are. In other groups they are gathered: element i of the result, counted in its
 * sizes, is element i of the operand, counted in its own. See bounded_rules.h. */
#include "compiler/passes/dynamic/bounded_rules.h"
#include "compiler/passes/rewrite/rewrite.h"

struct group { /* dimensions [begin, end) of operand and result */
    int in_begin, in_end, out_begin, out_end;
    int64_t before, elements; /* of the groups before it; its own */
};

struct reshape {
    struct sized *s;
    struct op *op;
    struct builder b;
    struct value *moved; /* the operand, with the elements of the groups so far in their places */
};

static const int64_t *in_dims(const struct reshape *r)
{
    return r->op->operands[0]->type->shape.dims;
}

static const int64_t *out_dims(const struct reshape *r)
{
    return r->op->results[0].type->shape.dims;
}

/* The next group: as many dimensions as it takes until both sides have as many elements, and then
 * those of size 1. False at the end. */
static bool next_group(const struct reshape *r, struct group *g)
{
    int in_rank = r->op->operands[0]->type->shape.rank;
    int out_rank = r->op->results[0].type->shape.rank;
    int64_t in = 1, out = 1;
    *g = (struct group){g->in_end, g->in_end, g->out_end, g->out_end, g->before * g->elements, 1};
    if (g->in_begin == in_rank && g->out_begin == out_rank)
        return false;
    do {
        if (in <= out && g->in_end < in_rank)
            in *= in_dims(r)[g->in_end++];
        else if (g->out_end < out_rank)
            out *= out_dims(r)[g->out_end++];
        else
            in *= in_dims(r)[g->in_end++];
    } while (in != out && (g->in_end < in_rank || g->out_end < out_rank));
    while (g->in_end < in_rank && in_dims(r)[g->in_end] == 1)
        g->in_end++;
    while (g->out_end < out_rank && out_dims(r)[g->out_end] == 1)
        g->out_end++;
    g->elements = in;
    return true;
}

/* Of a group's result: the dimension that gets a size. The client may say which one; else it is the
 * outermost one of more than one element. -1: it says several. */
static int sized_result(const struct reshape *r, const struct group *g)
{
    uint32_t bounded = r->op->results[0].type->bounded;
    int named = -1, outermost = g->out_begin;
    for (int d = g->out_end - 1; d >= g->out_begin; d--) {
        if (bounded >> d & 1 && named >= 0)
            return -1;
        if (bounded >> d & 1)
            named = d;
        if (out_dims(r)[d] > 1)
            outermost = d;
    }
    return named >= 0 ? named : outermost;
}

static bool has_size(const struct reshape *r, const struct group *g)
{
    for (int d = g->in_begin; d < g->in_end; d++)
        if (sized_of(r->s, r->op->operands[0], d))
            return true;
    return false;
}

/* Whether only the outermost dimension of more than one element has a size. */
static bool is_compact(const struct reshape *r, const struct group *g, int sized)
{
    for (int d = g->out_begin; d < sized; d++)
        if (out_dims(r)[d] > 1)
            return false;
    int outermost = g->in_begin;
    while (outermost < g->in_end && in_dims(r)[outermost] == 1 &&
           !sized_of(r->s, r->op->operands[0], outermost))
        outermost++;
    for (int d = outermost + 1; d < g->in_end; d++)
        if (sized_of(r->s, r->op->operands[0], d))
            return false;
    return true;
}

/* The size of the result's dimension: that of the operand's group, divided by the others. */
static struct value *size_of_result(struct reshape *r, const struct group *g, int sized)
{
    struct value *size = NULL;
    int64_t in = 1, out = 1;
    for (int d = g->in_begin; d < g->in_end; d++) {
        struct value *own = sized_of(r->s, r->op->operands[0], d);
        if (own)
            size = size ? build_binary(&r->b, OP_multiply, size, own) : own;
        else
            in *= in_dims(r)[d];
    }
    for (int d = g->out_begin; d < g->out_end; d++)
        out *= d == sized ? 1 : out_dims(r)[d];
    if (in == out)
        return size;
    if (in != 1)
        size = sized_with(&r->b, OP_multiply, size, in);
    return out > 1 ? sized_with(&r->b, OP_divide, size, out) : size;
}

/* ---- gathering ------------------------------------------------------------------------------- */

/* Dimensions [begin, end) of a value, which has sizes there. None: elements in a row. */
struct side {
    const struct value *value;
    int begin, end;
};

/* The number of each element of a group of `elements`, counted in the sizes of its side: s32. */
static struct value *numbers_of(const struct sized *s, struct builder *b, const struct side *side,
                                int64_t elements)
{
    struct arena *arena = s->module->arena;
    int rank = side->end - side->begin;
    if (!rank)
        return sized_index(b, type_tensor(arena, DTYPE_S32, 1, &elements), 0);
    const struct type *type =
        type_tensor(arena, DTYPE_S32, rank, side->value->type->shape.dims + side->begin);
    struct value *number = build_splat(b, type, 0);
    for (int d = side->begin; d < side->end; d++) {
        struct value *size = sized_value(s, b, side->value, d);
        number = build_binary(b, OP_multiply, number, build_broadcast(b, size, type, 0, NULL));
        number = build_binary(b, OP_add, number, sized_index(b, type, d - side->begin));
    }
    return build_reshape(b, number, 1, &elements);
}

/* Where the elements of these numbers are stored in a group of the other side. */
static struct value *places_of(const struct sized *s, struct builder *b, const struct side *side,
                               struct value *number)
{
    const struct type *type = number->type;
    struct value *place = build_splat(b, type, 0);
    int64_t stride = 1;
    for (int d = side->end - 1; d >= side->begin; d--) {
        struct value *size = sized_value(s, b, side->value, d);
        struct value *by = /* at least 1: a divisor */
            build_broadcast(b, sized_with(b, OP_maximum, size, 1), type, 0, NULL);
        struct value *index = build_binary(b, OP_remainder, number, by);
        struct value *step = build_splat(b, type, (double)stride);
        place = build_binary(b, OP_add, place, build_binary(b, OP_multiply, index, step));
        number = build_binary(b, OP_divide, number, by);
        stride *= side->value->type->shape.dims[d];
    }
    return side->begin == side->end ? number : place;
}

/* Moves the elements of a group from where `from` has them to where `to` does. */
static struct value *move_elements(const struct sized *s, struct builder *b, struct value *value,
                                   const struct group *g, const struct side *from,
                                   const struct side *to)
{
    static const int64_t offset[] = {0, 2}, one = 1;
    int64_t behind = type_elements(value->type) / (g->before * g->elements);
    struct value *flat = build_reshape(b, value, 3, (int64_t[]){g->before, g->elements, behind});
    struct value *places = places_of(s, b, from, numbers_of(s, b, to, g->elements));
    places = build_reshape(b, places, 2, (int64_t[]){g->elements, 1});
    union attrs attrs = {
        .gather = {.offset_dims = {2, offset},
                   .collapsed_slice_dims = {1, &one},
                   .start_index_map = {1, &one},
                   .index_vector_dim = 1,
                   .slice_sizes = rewrite_dims(b->module, (int64_t[]){g->before, 1, behind}, 3)}};
    return build_declared(b, OP_gather, 2, (struct value *[]){flat, places}, NULL, &attrs);
}

/* Puts the elements of a group where the result has them. */
static void move_group(struct reshape *r, const struct group *g)
{
    const struct side from = {r->op->operands[0], g->in_begin, g->in_end};
    const struct side to = {&r->op->results[0], g->out_begin, g->out_end};
    r->moved = move_elements(r->s, &r->b, r->moved, g, &from, &to);
}

struct error *bounded_reshape(struct sized *s, struct op *op)
{
    struct reshape r = {
        .s = s, .op = op, .b = rewrite_before(s->module, op), .moved = op->operands[0]};
    struct value *result = &op->results[0];
    if (type_elements(result->type) == 0 || type_elements(result->type) > INT32_MAX)
        return sized_refuse(s, op);
    for (struct group g = {.before = 1, .elements = 1}; next_group(&r, &g);) {
        if (!has_size(&r, &g))
            continue;
        int sized = sized_result(&r, &g);
        if (sized < 0 || g.out_begin == g.out_end)
            return sized_refuse(s, op);
        sized_set(s, result, sized, size_of_result(&r, &g, sized));
        if (!is_compact(&r, &g, sized))
            move_group(&r, &g);
    }
    if (r.moved == op->operands[0])
        return NULL;
    struct value *made =
        build_reshape(&r.b, r.moved, result->type->shape.rank, result->type->shape.dims);
    sized_copy(s, made, result);
    return rewrite_with(s->module, op, made);
}

/* ---- arguments and results ------------------------------------------------------------------- */

static bool is_in_a_row(const struct sized *s, const struct value *value)
{
    int d = 0, rank = value->type->shape.rank;
    while (d < rank && value->type->shape.dims[d] == 1 && !sized_of(s, value, d))
        d++;
    for (d++; d < rank; d++)
        if (sized_of(s, value, d))
            return false;
    return true;
}

static struct value *rearrange(const struct sized *s, struct builder *b, struct value *value,
                               const struct value *sized, bool to_row)
{
    const struct shape *shape = &value->type->shape;
    const struct group all = {.before = 1, .elements = type_elements(value->type)};
    const struct side whole = {sized, 0, shape->rank}, row = {sized, 0, 0};
    if (is_in_a_row(s, sized) || !all.elements || all.elements > INT32_MAX)
        return value;
    struct value *moved =
        move_elements(s, b, value, &all, to_row ? &whole : &row, to_row ? &row : &whole);
    return build_reshape(b, moved, shape->rank, shape->dims);
}

struct value *bounded_reshape_to_row(const struct sized *s, struct builder *b, struct value *value)
{
    return rearrange(s, b, value, value, true);
}

struct value *bounded_reshape_from_row(const struct sized *s, struct builder *b,
                                       struct value *value)
{
    return rearrange(s, b, value, value, false);
}
