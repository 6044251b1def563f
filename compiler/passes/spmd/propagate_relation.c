#include "compiler/passes/spmd/propagate_relation.h"

#include <stdlib.h>

#include "base/vec.h"

/* Where a factor occurs in a dimension of a member, and the axes that shard it there. */
struct occurrence {
    struct sharded *value;
    int dim, factor;
    int64_t rest;   /* of several factors in a dimension: what its axes leave of the size */
    uint8_t seen;   /* number of axes of the dimension when it was projected */
    bool is_alone;  /* the dimension has no other factor */
    bool is_active; /* its axes take part */
    bool is_open;   /* axes can be added */
    int member;     /* that the value is */
    int next;       /* occurrence of the factor; -1: none */
    struct axis_list axes;
};

/* What is known of a factor while a relation is visited. */
struct candidate {
    struct axis_list axes;    /* that members which can take them should have */
    int limit;                /* members disagree from this axis on */
    int first;                /* occurrence; -1: none */
    int64_t shards, elements; /* of the largest value which has these axes */
    int member;               /* the first of these */
};

struct propagate_visit {
    struct arena *arena;
    const struct device_grid *grid;
    int64_t priority;
    int round;
    bool changed;
    VEC(struct occurrence) occurrences;
    VEC(struct candidate) candidates;
    VEC(int) order; /* of factors */
};

struct propagate_visit *propagate_visit_create(struct arena *arena, const struct device_grid *grid)
{
    struct propagate_visit *v = ARENA_NEW(arena, struct propagate_visit);
    v->arena = arena;
    v->grid = grid;
    return v;
}

void propagate_visit_set_priority(struct propagate_visit *visit, int64_t priority)
{
    visit->priority = priority;
}

void propagate_visit_set_round(struct propagate_visit *visit, int round)
{
    visit->round = round;
}

bool propagate_visit_changed(const struct propagate_visit *visit)
{
    return visit->changed;
}

static bool is_in(uint32_t set, int axis)
{
    return set >> axis & 1;
}

/* ---- projection: from dimensions to factors -------------------------------------------------- */

/* Takes axes of `list` from *next on that shard the factor of the occurrence. One of several
 * factors must be divided evenly. */
static void take_axes(struct propagate_visit *v, struct occurrence *o, const struct axis_list *list,
                      int *next, uint32_t manual)
{
    for (; *next < list->count; (*next)++) {
        int axis = list->at[*next];
        int64_t size = v->grid->sizes[axis];
        if (is_in(manual, axis) || (!o->is_alone && o->rest % size))
            return;
        if (!o->is_alone)
            o->rest /= size;
        o->axes.at[o->axes.count++] = (uint8_t)axis;
    }
}

static void project_dim(struct propagate_visit *v, const struct relation *relation, int member,
                        int dim, const struct factor_dim *factors)
{
    struct sharded *value = relation->members[member];
    const struct axis_list *list = &value->tiling->dims[dim];
    bool active = !value->priorities || value->priorities[dim] <= v->priority;
    bool open = active && value->tiling->open >> dim & 1, full = true;
    size_t first = v->occurrences.count;
    int next = 0;
    while (next < list->count && is_in(relation->manual, list->at[next]))
        next++;
    for (int i = 0; i < factors->count; i++) {
        struct occurrence o = {.value = value,
                               .dim = dim,
                               .factor = factors->at[i],
                               .rest = relation->factors[factors->at[i]].size,
                               .seen = list->count,
                               .is_alone = factors->count == 1,
                               .member = member,
                               .is_active = active};
        if (full) /* minor factors are sharded only behind all of the major ones */
            take_axes(v, &o, list, &next, relation->manual);
        o.is_open = open && full;
        full &= o.rest == 1;
        VEC_PUSH(v->arena, &v->occurrences, o);
    }
    if (next < list->count) /* axes that are of no factor: nothing can be added behind them */
        for (size_t i = first; i < v->occurrences.count; i++)
            v->occurrences.items[i].is_open = false;
}

static void project(struct propagate_visit *v, const struct relation *relation)
{
    v->occurrences.count = 0;
    v->changed = false;
    for (int i = 0; i < relation->member_count; i++) {
        struct sharded *value = relation->members[i];
        for (int d = 0; value && d < value->tiling->rank; d++)
            project_dim(v, relation, i, d, &relation->dims[i].dims[d]);
    }
}

/* ---- candidates: what the members agree on --------------------------------------------------- */

/* The longest list of which every member's is a beginning, as far as they agree. */
static void merge(struct candidate *c, const struct axis_list *axes)
{
    int count = axes->count < c->limit ? axes->count : c->limit;
    int common = axis_list_common(&c->axes, axes);
    if (common > count)
        common = count;
    if (common == c->axes.count) {
        c->axes = *axes;
        c->axes.count = (uint8_t)count;
    } else if (common < count) {
        c->axes.count = (uint8_t)common;
        c->limit = common;
    }
}

static void find_candidates(struct propagate_visit *v, const struct relation *relation)
{
    v->candidates.count = 0;
    for (int f = 0; f < relation->factor_count; f++)
        VEC_PUSH(v->arena, &v->candidates,
                 (struct candidate){.limit = TILING_MAX_AXES, .first = -1});
    for (int i = (int)v->occurrences.count - 1; i >= 0; i--) {
        struct occurrence *o = &v->occurrences.items[i];
        struct candidate *c = &v->candidates.items[o->factor];
        o->next = c->first;
        c->first = i;
        if (o->is_active)
            merge(c, &o->axes);
    }
}

/* ---- the order of factors -------------------------------------------------------------------- */

static void measure(struct propagate_visit *v)
{
    for (size_t f = 0; f < v->candidates.count; f++)
        v->candidates.items[f].shards = axis_list_size(v->grid, &v->candidates.items[f].axes);
    for (size_t i = 0; i < v->occurrences.count; i++) {
        const struct occurrence *o = &v->occurrences.items[i];
        struct candidate *c = &v->candidates.items[o->factor];
        if (axis_list_common(&o->axes, &c->axes) == c->axes.count &&
            o->value->elements > c->elements)
            c->elements = o->value->elements, c->member = o->member;
    }
}

static int compare_factors(const void *a, const void *b, void *context)
{
    const struct candidate *all = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (all[i].shards != all[j].shards)
        return all[i].shards > all[j].shards ? -1 : 1;
    if (all[i].elements != all[j].elements)
        return all[i].elements > all[j].elements ? -1 : 1;
    if (all[i].member != all[j].member)
        return all[i].member < all[j].member ? -1 : 1;
    return i < j ? -1 : i > j;
}

/* The factors that can be propagated; the one that wins conflicts first. */
static void order_factors(struct propagate_visit *v)
{
    v->order.count = 0;
    for (int f = 0; f < (int)v->candidates.count; f++)
        if (v->candidates.items[f].axes.count)
            VEC_PUSH(v->arena, &v->order, f);
    if (v->order.count < 2)
        return;
    measure(v);
    qsort_r(v->order.items, v->order.count, sizeof *v->order.items, compare_factors,
            v->candidates.items);
}

/* ---- adding axes ----------------------------------------------------------------------------- */

/* Whether axes of the factor are added to results, or to operands, in this round. */
static bool is_directed(const struct propagate_visit *v, const struct relation *relation,
                        const struct occurrence *o)
{
    bool is_result = o->member >= relation->operand_count;
    if (relation->kind == RELATION_ALIKE || v->round == RELATION_ROUNDS - 1)
        return true;
    if (relation->kind == RELATION_SLICE && is_result)
        return true;
    if (v->round == 0 || relation->factors[o->factor].kind != FACTOR_PASS)
        return false;
    return relation->kind != RELATION_BROADCAST || !is_result;
}

/* True if the dimension can also be sharded along the axis. */
static bool can_take(const struct propagate_visit *v, const struct relation *relation,
                     const struct occurrence *o, int axis)
{
    const struct sharded *value = o->value;
    int64_t size = v->grid->sizes[axis];
    if (is_in(value->used | value->forbidden | value->manual | relation->manual, axis))
        return false;
    if (!o->is_alone)
        return o->rest % size == 0;
    return relation->factors[o->factor].kind != FACTOR_PERMUTED ||
           axis_list_size(v->grid, &value->tiling->dims[o->dim]) * size <= value->sizes[o->dim];
}

/* Adds the candidate's further axes to the dimension. */
static void extend(struct propagate_visit *v, const struct relation *relation, struct occurrence *o)
{
    const struct axis_list *wanted = &v->candidates.items[o->factor].axes;
    struct axis_list *list = &o->value->tiling->dims[o->dim];
    if (!o->is_open || list->count != o->seen || !is_directed(v, relation, o) ||
        axis_list_common(&o->axes, wanted) != o->axes.count)
        return;
    for (int i = o->axes.count; i < wanted->count; i++) {
        int axis = wanted->at[i];
        if (!can_take(v, relation, o, axis))
            break;
        list->at[list->count++] = (uint8_t)axis;
        o->value->used |= UINT32_C(1) << axis;
        o->rest /= v->grid->sizes[axis];
    }
    if (list->count != o->seen)
        o->value->is_changed = v->changed = true;
    o->is_open = list->count == o->seen;
}

void propagate_visit_run(struct propagate_visit *v, struct relation *relation)
{
    project(v, relation);
    find_candidates(v, relation);
    order_factors(v);
    for (size_t i = 0; i < v->order.count; i++)
        for (int o = v->candidates.items[v->order.items[i]].first; o >= 0;
             o = v->occurrences.items[o].next)
            extend(v, relation, &v->occurrences.items[o]);
}
