#include "compiler/passes/spmd/halo.h"

#include <string.h>

#include "compiler/passes/rewrite/rewrite.h"
#include "compiler/ir/along_dim.h"
#include "compiler/passes/spmd/reshard.h"
#include "compiler/passes/spmd/spmd_collective.h"

struct exchange {
    struct partitioner *p;
    struct builder *b;
    struct value *value;
    int dim;
    const struct halo *halo;
    struct halo_plan plan;
};

/* ---- numbers that depend on the partition ---------------------------------------------------- */
static struct value *number(struct builder *b, int64_t at)
{
    return build_scalar(b, DTYPE_S64, (double)at);
}

/* at[index], by a product when the numbers are evenly spaced. */
struct value *halo_lookup(struct partitioner *p, struct builder *b, const struct axis_list *axes,
                          const int64_t *at)
{
    int64_t count = axis_list_size(p->grid, axes), step = count > 1 ? at[1] - at[0] : 0;
    bool is_even = true;
    for (int64_t i = 1; i < count; i++)
        is_even &= at[i] - at[i - 1] == step;
    if (is_even && !step)
        return number(b, at[0]);
    if (is_even) {
        struct value *offset = collective_shard_offset(p, b, axes, step);
        return at[0] ? build_binary(b, OP_add, offset, number(b, at[0])) : offset;
    }
    struct value *index = collective_shard_index(p, b, axes);
    struct arena *arena = p->module->arena;
    const struct type *type = type_tensor(arena, DTYPE_S64, 1, &count);
    int64_t *copy = arena_copy(arena, at, (size_t)count * sizeof *at);
    struct value *table = build_constant(b, literal_dense(arena, type, copy));
    return build_reshape(b, along_dim_take(b, table, 0, index, 1), 0, NULL);
}

/* ---- pieces ---------------------------------------------------------------------------------- */
static bool is_constant(const struct exchange *x, const int64_t *at)
{
    for (int64_t i = 1; i < x->plan.participants; i++)
        if (at[i] != at[0])
            return false;
    return true;
}

/* What the step takes of this partition's block. */
static struct value *sent_piece(const struct exchange *x, const struct halo_step *step)
{
    if (is_constant(x, step->firsts))
        return along_dim_slice(x->b, x->value, x->dim, step->firsts[0], step->size);
    struct value *first = halo_lookup(x->p, x->b, &x->plan.axes, step->firsts);
    return along_dim_take(x->b, x->value, x->dim, first, step->size);
}

/* What all participants need of one of them, by a sum with zeros. */
static struct value *summed_piece(const struct exchange *x, struct value *piece, int64_t source)
{
    struct value *index = collective_shard_index(x->p, x->b, &x->plan.axes);
    struct value *is_source = build_compare(x->b, COMPARE_EQ, index, number(x->b, source));
    const struct type *mask = type_with_dtype(x->p->module->arena, piece->type, DTYPE_PRED);
    is_source = rewrite_broadcast_scalar(x->b, is_source, mask);
    piece = build_select(x->b, is_source, piece, build_splat(x->b, piece->type, 0));
    return collective_all_reduce(x->p, x->b, piece, &x->plan.axes,
                                 piece->type->shape.dtype == DTYPE_PRED ? OP_or : OP_add);
}

static struct value *received_piece(const struct exchange *x, const struct halo_step *step)
{
    struct value *piece = sent_piece(x, step);
    if (x->plan.kind == HALO_SHARED && x->p->is_modeled)
        return summed_piece(x, piece, step->pairs[0]);
    if (x->plan.kind == HALO_SHARED)
        return collective_broadcast_along(x->p, x->b, piece, &x->plan.axes, step->pairs[0]);
    return step->is_own ? piece
                        : collective_permute_along(x->p, x->b, piece, &x->plan.axes,
                                                   step->pair_count, step->pairs);
}

static struct value *zeros(const struct exchange *x, int64_t size)
{
    return build_splat(x->b, along_dim_type(x->b, x->value->type, x->dim, size), 0);
}

/* ---- ranges ---------------------------------------------------------------------------------- */
static struct value *concatenate_pieces(const struct exchange *x)
{
    struct value *pieces[2 * HALO_MAX_STEPS + 1];
    int64_t end = 0;
    int count = 0;
    for (int s = 0; s < x->plan.step_count; s++) {
        const struct halo_step *step = &x->plan.steps[s];
        if (step->places[0] > end)
            pieces[count++] = zeros(x, step->places[0] - end);
        pieces[count++] = received_piece(x, step);
        end = step->places[0] + step->size;
    }
    if (end < x->halo->size)
        pieces[count++] = zeros(x, x->halo->size - end);
    return along_dim_concatenate(x->b, count, pieces, x->dim);
}

/* Writes the pieces into a range with room on both sides for what reaches over its ends, and for
 * pieces that a partition does not need. */
static struct value *write_pieces(const struct exchange *x)
{
    size_t participants = (size_t)x->plan.participants;
    int64_t *places = ARENA_ARRAY(x->p->module->arena, int64_t, participants), room = 0;
    for (int s = 0; s < x->plan.step_count; s++)
        room = x->plan.steps[s].size > room ? x->plan.steps[s].size : room;
    struct value *range = zeros(x, x->halo->size + 2 * room);
    for (int s = 0; s < x->plan.step_count; s++) {
        struct value *piece = received_piece(x, &x->plan.steps[s]);
        for (size_t i = 0; i < participants; i++)
            places[i] = x->plan.steps[s].places[i] + room;
        struct value *place = halo_lookup(x->p, x->b, &x->plan.axes, places);
        range = along_dim_update(x->b, range, x->dim, piece, place);
    }
    return along_dim_slice(x->b, range, x->dim, room, x->halo->size);
}

static struct value *start_of_range(const struct exchange *x, int64_t offset)
{
    int64_t count = axis_list_size(x->p->grid, &x->halo->to);
    int64_t *starts = ARENA_ARRAY(x->p->module->arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        starts[i] = x->halo->starts[i] + offset;
    return halo_lookup(x->p, x->b, &x->halo->to, starts);
}

static struct value *gathered(const struct exchange *x)
{
    struct tiling *tiling = tiling_copy(x->p->arena, shard_of(x->value)->tiling);
    tiling->dims[x->dim].count = 0;
    return reshard(x->p, x->b, x->value, tiling);
}

/* Slices the ranges from the whole dimension, extended to all that they cover. */
static struct value *take_ranges(const struct exchange *x)
{
    const struct halo *halo = x->halo;
    int64_t low = 0, high = 0;
    for (int64_t r = 0; r < axis_list_size(x->p->grid, &halo->to); r++) {
        int64_t before = -halo->starts[r], behind = halo->starts[r] + halo->size - halo->whole;
        low = before > low ? before : low;
        high = behind > high ? behind : high;
    }
    struct value *whole = along_dim_pad(x->b, gathered(x), x->dim, low, high, 0, NULL);
    return along_dim_take(x->b, whole, x->dim, start_of_range(x, low), halo->size);
}

static struct value *make_ranges(const struct exchange *x)
{
    switch (x->plan.kind) {
    case HALO_FIXED:
    case HALO_SHARED: return concatenate_pieces(x);
    case HALO_SHIFTED: return write_pieces(x);
    case HALO_WHOLE: break;
    }
    return take_ranges(x);
}

/* ---- ranges that exist ----------------------------------------------------------------------- */
static bool same_ranges(const struct device_grid *grid, const struct halo *a, const struct halo *b)
{
    size_t bytes = (size_t)axis_list_size(grid, &a->to) * sizeof *a->starts;
    return axis_list_equal(&a->from, &b->from) && axis_list_equal(&a->to, &b->to) &&
           a->begin == b->begin && a->end == b->end && a->size == b->size &&
           !memcmp(a->starts, b->starts, bytes) && !memcmp(a->counts, b->counts, bytes);
}

static struct value *find_ranges(const struct exchange *x)
{
    for (const struct shard_range *r = shard_of(x->value)->ranges; r; r = r->next)
        if (r->dim == x->dim && r->value->def->block == x->b->block &&
            same_ranges(x->p->grid, r->halo, x->halo))
            return r->value;
    return NULL;
}

static struct value *find_or_make_ranges(const struct exchange *x)
{
    struct arena *arena = x->p->module->arena;
    struct shard *shard = shard_of(x->value);
    struct value *made = find_ranges(x);
    if (made)
        return made;
    made = make_ranges(x);
    if (made == x->value || !made->def)
        return made;
    struct shard_range *range = ARENA_NEW(arena, struct shard_range);
    *range = (struct shard_range){made, x->dim, arena_copy(arena, x->halo, sizeof *x->halo),
                                  shard->ranges};
    shard->ranges = range;
    return made;
}

/* ---- the whole ------------------------------------------------------------------------------- */
static struct value *mask(const struct exchange *x, struct value *range, struct value *fill)
{
    struct value *is_inside = along_dim_between(x->b, range->type, x->dim, start_of_range(x, 0),
                                                x->halo->begin, x->halo->end);
    return build_select(x->b, is_inside, range, rewrite_broadcast_scalar(x->b, fill, range->type));
}

struct value *halo_exchange(struct partitioner *p, struct builder *b, struct value *value, int dim,
                            const struct halo *halo, struct value *fill)
{
    struct exchange x = {.p = p, .b = b, .value = value, .dim = dim, .halo = halo};
    halo_plan(p->module->arena, p->grid, halo, &x.plan);
    struct value *range = find_or_make_ranges(&x);
    if (fill && halo_reaches_outside(p->grid, halo))
        range = mask(&x, range, fill);
    if (range == value)
        return value;
    if (!shard_of(range))
        shard_set(p, range, shard_of(value)->global, shard_of(value)->tiling);
    return range;
}
