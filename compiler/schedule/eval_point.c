/* eval_point.c: see eval_point.h. */
#include "compiler/schedule/eval_point.h"

#include "compiler/schedule/concatenation.h"
#include "compiler/schedule/access.h"
#include "compiler/schedule/short_row.h"

static struct eval_point new_point(struct arena *arena, const struct type *type)
{
    return (struct eval_point){.rank = type->shape.rank,
                               .dims =
                                   ARENA_ARRAY(arena, struct eval_point_dim, type->shape.rank + 1),
                               .least = 1};
}

/* More than one dimension is larger than 1: the loops have more than one work item. */
static bool has_items(const struct type *type)
{
    int count = 0;
    for (int i = 0; i < type->shape.rank; i++)
        count += type->shape.dims[i] != 1;
    return count > 1;
}

static uint64_t mix(uint64_t var, const void *what, int64_t more)
{
    uint64_t key[3] = {var, (uint64_t)(uintptr_t)what, (uint64_t)more};
    uint64_t hash = map_hash(key, sizeof key, 7);
    return hash ? hash : 1;
}

bool eval_point_is_inner(const struct eval_point *point)
{
    bool reduced = point->inner && point->least > 1;
    for (int i = 0; i < point->rank; i++)
        reduced |= point->dims[i].reduced;
    return reduced;
}

bool eval_point_is_in_row_of(const struct eval_point *point, const struct op *reduce)
{
    int last = reduce->operands[0]->type->shape.rank - 1;
    return last >= 0 && point->rank == last + 1 && point->dims[last].var == mix(0, reduce, last);
}

static bool is_loop_but(uint64_t var, int rank, int dim)
{
    for (int i = 0; i < rank; i++)
        if (i != dim && var == mix(0, NULL, i))
            return true;
    return false;
}

bool eval_point_is_other_loop(const struct eval_point *point, int at, int rank, int dim)
{
    return at >= 0 && at < point->rank && is_loop_but(point->dims[at].var, rank, dim);
}

int eval_point_dim_of(const struct eval_point *point, int dim)
{
    int found = -1;
    for (int i = 0; i < point->rank; i++)
        found = point->dims[i].loop == dim + 1 ? i : found;
    return found;
}

bool eval_point_is_same_along(const struct eval_point *point, int rank, int dim)
{
    bool same = !point->unknown;
    for (int i = 0; i < point->rank; i++) {
        const struct eval_point_dim *index = &point->dims[i];
        same &= !index->var || index->reduced || is_loop_but(index->var, rank, dim);
    }
    return same;
}

/* Loops over all dimensions of a type, those of a reduction if `reduced`. */
static void nest(struct eval_point *point, const struct type *type, bool reduced, const void *owner)
{
    double count = 1;
    for (int i = 0; i < type->shape.rank; i++) {
        if (type->shape.dims[i] == 1)
            continue;
        count *= (double)type->shape.dims[i];
        point->dims[i] = (struct eval_point_dim){mix(0, owner, i), count, reduced, 0};
    }
}

/* Sets point->unrolled if rows are short, where `last` is the innermost dimension above 1. */
static void set_unrolled(struct eval_point *point, const struct type *type, int last)
{
    if (last < 0 || type->shape.dims[last] > SHORT_ROW_MOST ||
        dtype_is_complex(type->shape.dtype) ||
        type_elements(type) < type->shape.dims[last] * SHORT_ROW_ROWS)
        return;
    point->unrolled = point->dims[last].var;
}

/* All loops except the innermost are collapsed into one loop over work items. */
static struct eval_point whole_nest(struct arena *arena, const struct type *type, const void *owner)
{
    struct eval_point point = new_point(arena, type);
    int last = type_innermost(type);
    nest(&point, type, false, owner);
    for (int i = 0; i <= last; i++)
        point.dims[i].loop = type->shape.dims[i] == 1 ? 0 : i + 1;
    point.whole = true;
    point.repeats = has_items(type);
    set_unrolled(&point, type, last);
    for (int i = last - 2; i >= 0; i--)
        point.dims[i].count = type->shape.dims[i] == 1      ? 0
                              : point.dims[i + 1].count > 0 ? point.dims[i + 1].count
                                                            : point.dims[i].count;
    return point;
}

struct eval_point eval_point_root(struct arena *arena, const struct op *root)
{
    return whole_nest(arena, root->results[0].type, NULL);
}

double eval_point_count(const struct eval_point *point)
{
    double count = point->least;
    for (int i = 0; i < point->rank; i++)
        count = point->dims[i].count > count ? point->dims[i].count : count;
    return count;
}

/* Every index depends, in a way that is not known, on all indices of `point`. */
static void unknown_dims(struct eval_point *to, const struct type *type,
                         const struct eval_point *point, const void *owner)
{
    double count = eval_point_count(point);
    bool inner = eval_point_is_inner(point);
    uint64_t from = 0;
    to->unknown = true;
    for (int i = 0; i < point->rank; i++)
        from = mix(from, NULL, (int64_t)point->dims[i].var);
    for (int i = 0; i < type->shape.rank; i++)
        if (type->shape.dims[i] != 1)
            to->dims[i] = (struct eval_point_dim){mix(from, owner, i), count, inner, 0};
}

/* The loop of a dimension that a reshape splits into several of its result. */
static struct eval_point_dim joined_dim(const struct op *op, const struct eval_point *point,
                                        int dim)
{
    const struct shape *to = &op->results[0].type->shape;
    struct access_span span = access_span_of(&op->operands[0]->type->shape, dim);
    struct eval_point_dim joined = {0};
    int parts = 0;
    for (int i = 0; i < to->rank; i++) {
        const struct eval_point_dim *part = &point->dims[i];
        if (to->dims[i] == 1 || !access_span_contains(span, access_span_of(to, i)))
            continue;
        joined.var = parts++ ? mix(joined.var, NULL, (int64_t)part->var) : part->var;
        joined.count = part->count > joined.count ? part->count : joined.count;
        joined.reduced |= part->reduced;
        joined.loop = part->loop;
    }
    return joined;
}

static void split_dims(const struct op *op, const struct eval_point *point, struct eval_point *to)
{
    for (int i = 0; i < to->rank; i++)
        if (op->operands[0]->type->shape.dims[i] != 1)
            to->dims[i] = joined_dim(op, point, i);
}

/* The loops over those dimensions of the result whose indices are the operand's. */
static void kept_dims(const struct op *op, const struct eval_point *point, struct eval_point *to)
{
    for (int i = 0; i < to->rank; i++) {
        struct access access = access_of(op, 0, i);
        if (access.kind == ACCESS_INDEX)
            to->dims[i] = point->dims[access.dim];
    }
}

static void reduce_dims(const struct op *op, int operand, const struct eval_point *point,
                        struct eval_point *to)
{
    const struct type *type = op->operands[operand]->type;
    double count = eval_point_count(point);
    kept_dims(op, point, to);
    for (int i = 0; i < type->shape.rank; i++) {
        if (access_of(op, 0, i).kind != ACCESS_LOOP || type->shape.dims[i] == 1)
            continue;
        count *= (double)type->shape.dims[i];
        to->dims[i] = (struct eval_point_dim){mix(0, op, i), count, true, 0};
    }
    to->inner = true;
    to->uniform |= point->repeats && eval_point_count(point) <= 1;
}

/* The indices of a gather are read once per iteration of the loops over their own dimensions. */
static void gather_dims(const struct op *op, const struct eval_point *point, struct eval_point *to)
{
    const struct attrs_gather *at = &op->attrs.gather;
    const struct type *indices = op->operands[1]->type, *type = op->results[0].type;
    int dim = 0;
    double count = 1;
    for (int i = 0; i < type->shape.rank; i++) {
        if (dims_contain(at->offset_dims, i))
            continue;
        dim += dim == at->index_vector_dim;
        if (dim < indices->shape.rank)
            to->dims[dim++] = point->dims[i];
        count = point->dims[i].count > count ? point->dims[i].count : count;
    }
    if (at->index_vector_dim < indices->shape.rank &&
        indices->shape.dims[at->index_vector_dim] != 1)
        to->dims[at->index_vector_dim] = (struct eval_point_dim){
            mix(0, op, 1000), count * (double)indices->shape.dims[at->index_vector_dim],
            eval_point_is_inner(point), 0};
    if (at->index_vector_dim < indices->shape.rank)
        to->component = to->dims[at->index_vector_dim].var;
}

static void same_dims(struct eval_point *to, const struct eval_point *point,
                      const struct type *type, const void *owner)
{
    for (int i = 0; i < to->rank && i < point->rank; i++)
        if (type->shape.dims[i] != 1) {
            to->dims[i] = point->dims[i];
            if (owner)
                to->dims[i].var = mix(point->dims[i].var, owner, 0);
        }
}

static void inherit(struct eval_point *to, const struct eval_point *from)
{
    to->least = from->least;
    to->inner = from->inner;
    to->repeats = from->repeats;
    to->uniform = from->uniform;
    to->unrolled = from->unrolled;
    to->piece = from->piece;
    to->unknown = from->unknown;
    to->component = from->component;
}

/* Whether padding is only along the unrolled loop: whether an element is padding is then known. */
static bool pads_unrolled(const struct op *pad, const struct eval_point *point)
{
    for (int i = 0; i < point->rank; i++)
        if (access_of(pad, 0, i).guarded &&
            (!point->unrolled || point->dims[i].var != point->unrolled))
            return false;
    return true;
}

/* Whether generated code guards the operands of op by a condition on the element: then they are
 * computed inside the element's loops even if they do not depend on its index. */
static bool is_conditional(const struct op *op, const struct eval_point *point)
{
    return op->code == OP_concatenate || (op->code == OP_pad && !pads_unrolled(op, point));
}

bool eval_point_interleaves(const struct op *concatenate, const struct eval_point *point)
{
    uint64_t var = point->dims[concatenate->attrs.dimension.dimension].var;
    return var && var == point->unrolled;
}

bool eval_point_is_index_vector(const struct op *concatenate, const struct eval_point *point)
{
    uint64_t var = point->dims[concatenate->attrs.dimension.dimension].var;
    return var && var == point->component;
}

/* An operand that has one element for each turn does not depend on the unrolled loop, nor one that
 * is one component on which of them is read. */
static void interleaved_dims(struct eval_point *to, const struct eval_point *point,
                             const struct op *op, int operand)
{
    same_dims(to, point, op->operands[operand]->type, NULL);
    struct eval_point_dim *dim = &to->dims[op->attrs.dimension.dimension];
    dim->var = dim->var ? mix(dim->var, op, operand) : 0;
    *(eval_point_is_index_vector(op, point) ? &to->component : &to->unrolled) = dim->var;
}

/* The nest of one operand of a concatenation. */
static struct eval_point piece_of(struct arena *arena, const struct op *op, int operand)
{
    const struct value *const *which = (const struct value *const *)op->operands + operand;
    struct eval_point point = whole_nest(arena, op->operands[operand]->type, which);
    point.piece = true;
    return point;
}

/* An operand of a concatenation is computed where the index is in it: what the loop over the
 * concatenated dimension contains runs for its part of the iterations. */
static void part_dims(struct eval_point *to, const struct eval_point *point, const struct op *op,
                      int operand)
{
    int64_t dim = op->attrs.dimension.dimension;
    double whole = (double)op->results[0].type->shape.dims[dim];
    double part = (double)op->operands[operand]->type->shape.dims[dim] / whole;
    for (int i = 0; i < to->rank; i++)
        if (to->dims[i].count >= point->dims[dim].count)
            to->dims[i].count *= part;
    to->least *= part;
}

/* Dimensions of which an operation moves the elements: a loop over a dimension of the result goes
 * over the same dimension of the operand, at other positions. */
static void moved_dims(struct eval_point *to, const struct eval_point *point, const struct op *op,
                       int operand)
{
    const struct type *type = op->operands[operand]->type;
    if (type->shape.rank)
        same_dims(to, point, type, op->operands[operand]);
    for (int i = 0; i < type->shape.rank; i++) {
        to->dims[i].var = to->dims[i].var ? mix(to->dims[i].var, op, 0) : 0;
        if (point->unrolled && point->dims[i].var == point->unrolled)
            to->unrolled = to->dims[i].var;
    }
    if (op->code == OP_concatenate && type_elements(op->results[0].type) &&
        concatenation_selects_runs(op))
        part_dims(to, point, op, operand);
}

/* The dimensions of an operand's point, by what the operation does with its operand's elements. */
static void operand_dims(struct eval_point *to, const struct eval_point *point, const struct op *op,
                         int operand)
{
    const struct type *type = op->operands[operand]->type;
    switch (op->code) {
    case OP_broadcast_in_dim:
    case OP_transpose: kept_dims(op, point, to); break;
    case OP_reshape:
        if (access_splits_dims(op))
            split_dims(op, point, to);
        else
            unknown_dims(to, type, point, op);
        break;
    case OP_slice:
    case OP_reverse:
    case OP_pad:
    case OP_concatenate: moved_dims(to, point, op, operand); break;
    case OP_dynamic_slice:
        if (operand == 0)
            same_dims(to, point, type, op);
        break;
    case OP_reduce:
        if (operand < op->operand_count / 2)
            reduce_dims(op, operand, point, to);
        break;
    case OP_gather:
        if (operand == 1)
            gather_dims(op, point, to);
        else
            unknown_dims(to, type, point, op);
        break;
    case OP_dynamic_update_slice:
    case OP_scatter: nest(to, type, eval_point_is_inner(point), op->operands[operand]); break;
    default: unknown_dims(to, type, point, op);
    }
}

struct eval_point eval_point_of_operand(struct arena *arena, const struct op *op, int operand,
                                        const struct eval_point *point)
{
    const struct type *type = op->operands[operand]->type;
    if (point->whole && op->code == OP_concatenate && concatenation_is_divided(op))
        return piece_of(arena, op, operand);
    struct eval_point to = new_point(arena, type);
    inherit(&to, point);
    if (op_info(op->code)->traits & OP_ELEMENTWISE) {
        same_dims(&to, point, type, NULL);
        return to;
    }
    if (op->code == OP_concatenate &&
        (eval_point_interleaves(op, point) || eval_point_is_index_vector(op, point))) {
        interleaved_dims(&to, point, op, operand);
        return to;
    }
    if (is_conditional(op, point))
        to.least = eval_point_count(point);
    operand_dims(&to, point, op, operand);
    return to;
}

bool eval_point_equal(const struct eval_point *a, const struct eval_point *b)
{
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i].var != b->dims[i].var || a->dims[i].count != b->dims[i].count)
            return false;
    return a->rank == b->rank && a->least == b->least;
}

void eval_point_add(struct arena *arena, struct eval_points *points, const struct eval_point *point)
{
    if (!points->at)
        points->at = ARENA_ARRAY(arena, struct eval_point, EVAL_POINT_MAX);
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        if (eval_point_equal(&points->at[i], point))
            return;
    if (points->count < EVAL_POINT_MAX)
        points->at[points->count] = *point;
    points->count++;
}

double eval_point_total(const struct eval_points *points)
{
    double count = 0;
    for (int i = 0; i < points->count && i < EVAL_POINT_MAX; i++)
        count += eval_point_count(&points->at[i]);
    return count;
}
