#include "compiler/passes/spmd/reshard_plan.h"

#include <string.h>

struct planner {
    struct arena *arena;
    const struct device_grid *grid;
    const struct type *type;
    const struct tiling *to;
    const struct tiling *now; /* after the planned steps */
    struct reshard_plan *plan;
    bool failed; /* more steps than there is capacity for */
    bool is_modeled;
};

/* ---- axis lists ------------------------------------------------------------------------------ */
static struct axis_list part_of(const struct axis_list *list, int first, int count)
{
    struct axis_list part = {.count = (uint8_t)count};
    memcpy(part.at, list->at + first, (size_t)count);
    return part;
}

static void append(struct axis_list *list, const struct axis_list *more)
{
    memcpy(list->at + list->count, more->at, more->count);
    list->count = (uint8_t)(list->count + more->count);
}

static bool is_prefix(const struct axis_list *shorter, const struct axis_list *longer)
{
    return axis_list_common(shorter, longer) == shorter->count;
}

static struct axis_list list_of_set(uint32_t set)
{
    struct axis_list list = {0};
    for (int axis = 0; axis < TILING_MAX_AXES; axis++)
        if (set >> axis & 1)
            list.at[list.count++] = (uint8_t)axis;
    return list;
}

/* ---- costs ----------------------------------------------------------------------------------- */
static double local_bytes(const struct planner *p, const struct tiling *tiling)
{
    double bytes = (double)dtype_bytes(p->type->shape.dtype);
    for (int i = 0; i < tiling->rank; i++)
        bytes *= (double)tiling_local_size(p->grid, tiling, i, p->type->shape.dims[i]);
    return bytes;
}

static double cost_of(const struct planner *p, enum reshard_kind kind, const struct axis_list *axes)
{
    double bytes = local_bytes(p, p->now), n = (double)axis_list_size(p->grid, axes);
    switch (kind) {
    case RESHARD_SLICE:
    case RESHARD_KEEP_FIRST:
    case RESHARD_SURROUND: return 0;
    case RESHARD_GATHER: return (n - 1) * bytes;
    case RESHARD_PERMUTE: return bytes;
    case RESHARD_REDUCE: return 2 * (n - 1) / n * bytes;
    case RESHARD_EXCHANGE:
    case RESHARD_REDUCE_SCATTER: break;
    }
    return (n - 1) / n * bytes;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static void add_step(struct planner *p, enum reshard_kind kind, int dim, int to_dim,
                     struct axis_list axes, const struct tiling *after)
{
    struct reshard_plan *plan = p->plan;
    if (plan->count == RESHARD_MAX_STEPS) {
        p->failed = true;
        return;
    }
    plan->bytes += cost_of(p, kind, &axes);
    p->now = tiling_copy(p->arena, after);
    plan->steps[plan->count++] = (struct reshard_step){kind, dim, to_dim, axes, p->now};
}

static int64_t length(const struct planner *p, int dim, const struct axis_list *list)
{
    int64_t shards = axis_list_size(p->grid, list), size = p->type->shape.dims[dim];
    return size / shards + (size % shards != 0);
}

/* Whether shards over `outer` and `inner` are parts of the shards over `outer` alone, which padding
 * at the end of the dimension may prevent. */
static bool is_aligned(const struct planner *p, int dim, const struct axis_list *outer,
                       const struct axis_list *inner)
{
    struct axis_list both = *outer;
    append(&both, inner);
    return !outer->count ||
           length(p, dim, &both) * axis_list_size(p->grid, inner) == length(p, dim, outer);
}

/* ---- reductions ------------------------------------------------------------------------------ */
/* The axes that the target adds to `dim` and over which the value is still to be summed. */
static struct axis_list scattered_axes(const struct planner *p, int dim)
{
    const struct axis_list *now = &p->now->dims[dim], *to = &p->to->dims[dim];
    struct axis_list none = {0};
    if (!is_prefix(now, to))
        return none;
    int count = now->count;
    while (count < to->count &&
           p->now->unreduced & ~p->to->unreduced & UINT32_C(1) << to->at[count])
        count++;
    struct axis_list axes = part_of(to, now->count, count - now->count);
    struct axis_list all = *now;
    append(&all, &axes);
    return p->type->shape.dims[dim] % axis_list_size(p->grid, &all) ? none : axes;
}

static void plan_reductions(struct planner *p)
{
    for (int dim = 0; dim < p->now->rank; dim++) {
        struct axis_list axes = scattered_axes(p, dim);
        if (!axes.count)
            continue;
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        append(&after->dims[dim], &axes);
        after->unreduced &= ~axis_list_set(&axes);
        add_step(p, RESHARD_REDUCE_SCATTER, dim, dim, axes, after);
    }
    uint32_t left = p->now->unreduced & ~p->to->unreduced;
    if (left) {
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        after->unreduced &= ~left;
        add_step(p, RESHARD_REDUCE, 0, 0, list_of_set(left), after);
    }
}

/* ---- slices ---------------------------------------------------------------------------------- */
/* Adds axes that no dimension uses. */
static bool plan_slice(struct planner *p)
{
    uint32_t used = tiling_axes(p->now) | p->now->unreduced;
    for (int dim = 0; dim < p->now->rank; dim++) {
        const struct axis_list *now = &p->now->dims[dim], *to = &p->to->dims[dim];
        int count = now->count;
        if (count == to->count || !is_prefix(now, to))
            continue;
        while (count < to->count && !(used >> to->at[count] & 1))
            count++;
        struct axis_list axes = part_of(to, now->count, count - now->count), all = *now;
        append(&all, &axes);
        struct axis_list rest = part_of(to, count, to->count - count);
        if (!axes.count || !is_aligned(p, dim, now, &axes) ||
            (rest.count && !is_aligned(p, dim, &all, &rest)))
            continue;
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        append(&after->dims[dim], &axes);
        add_step(p, RESHARD_SLICE, dim, dim, axes, after);
        return true;
    }
    return false;
}

/* ---- permutes -------------------------------------------------------------------------------- */
static bool has_repeated_axes(const struct tiling *tiling)
{
    uint32_t seen = tiling->unreduced;
    for (int dim = 0; dim < tiling->rank; dim++) {
        uint32_t set = axis_list_set(&tiling->dims[dim]);
        if (seen & set)
            return true;
        seen |= set;
    }
    return false;
}

/* Changes the axes of all dimensions that keep their number of shards. */
static bool plan_permute(struct planner *p)
{
    struct tiling_room room;
    struct tiling *after = tiling_edit(&room, p->now);
    bool changed = false;
    for (int dim = 0; dim < after->rank; dim++) {
        const struct axis_list *to = &p->to->dims[dim];
        if (axis_list_equal(&after->dims[dim], to) ||
            axis_list_size(p->grid, &after->dims[dim]) != axis_list_size(p->grid, to))
            continue;
        after->dims[dim] = *to;
        changed = true;
    }
    if (!changed || has_repeated_axes(after))
        return false;
    add_step(p, RESHARD_PERMUTE, 0, 0, (struct axis_list){0}, after);
    return true;
}

/* ---- all-to-all ------------------------------------------------------------------------------ */
/* Moves the last `count` axes of `dim` to `to_dim`, if that is where the target has them. */
static bool plan_move(struct planner *p, int dim, int count, int to_dim)
{
    const struct axis_list *from = &p->now->dims[dim], *now = &p->now->dims[to_dim];
    const struct axis_list *to = &p->to->dims[to_dim];
    struct axis_list axes = part_of(from, from->count - count, count);
    struct axis_list left = part_of(from, 0, from->count - count), all = *now;
    append(&all, &axes);
    if (!is_prefix(&all, to) || !is_aligned(p, to_dim, now, &axes) ||
        !is_aligned(p, dim, &left, &axes))
        return false;
    struct tiling_room room;
    struct tiling *after = tiling_edit(&room, p->now);
    after->dims[dim] = left;
    after->dims[to_dim] = all;
    add_step(p, RESHARD_EXCHANGE, dim, to_dim, axes, after);
    return true;
}

static bool plan_exchange(struct planner *p)
{
    for (int dim = 0; dim < p->now->rank; dim++) {
        const struct axis_list *now = &p->now->dims[dim];
        int most = now->count - axis_list_common(now, &p->to->dims[dim]);
        for (int count = most; count > 0; count--)
            for (int to_dim = 0; to_dim < p->now->rank; to_dim++)
                if (to_dim != dim && plan_move(p, dim, count, to_dim))
                    return true;
    }
    return false;
}

/* ---- other axes of as many shards ------------------------------------------------------------ */
/* Takes axes of the set whose product is `size`; false when there are none. */
static bool take_axes(const struct planner *p, uint32_t set, int64_t size, struct axis_list *out)
{
    *out = (struct axis_list){0};
    for (int axis = 0; axis < p->grid->axis_count && size > 1; axis++) {
        if (!(set >> axis & 1) || size % p->grid->sizes[axis])
            continue;
        out->at[out->count++] = (uint8_t)axis;
        size /= p->grid->sizes[axis];
    }
    return size == 1;
}

static uint32_t unused_axes(const struct planner *p, const struct tiling *tiling)
{
    return ~(tiling_axes(tiling) | tiling->unreduced) & ((UINT32_C(1) << p->grid->axis_count) - 1);
}

/* How many times as many shards a dimension will have; 0 when it is no whole number. */
static int64_t growth(const struct planner *p, int dim)
{
    int64_t now = axis_list_size(p->grid, &p->now->dims[dim]);
    int64_t to = axis_list_size(p->grid, &p->to->dims[dim]);
    return to % now ? 0 : to / now;
}

/* Slices a dimension by axes that are not those of the target, which a permute then replaces. */
static bool plan_growth(struct planner *p)
{
    for (int dim = 0; dim < p->now->rank; dim++) {
        struct axis_list axes;
        if (growth(p, dim) < 2 || is_prefix(&p->now->dims[dim], &p->to->dims[dim]) ||
            !take_axes(p, unused_axes(p, p->now), growth(p, dim), &axes) ||
            !is_aligned(p, dim, &p->now->dims[dim], &axes))
            continue;
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        append(&after->dims[dim], &axes);
        add_step(p, RESHARD_SLICE, dim, dim, axes, after);
        return true;
    }
    return false;
}

/* Splits the target's axes of a dimension behind those that make as many shards as it has now. */
static bool split_axes(const struct planner *p, int dim, struct axis_list *first,
                       struct axis_list *rest)
{
    const struct axis_list *to = &p->to->dims[dim];
    int64_t shards = axis_list_size(p->grid, &p->now->dims[dim]);
    for (int count = 0; count <= to->count; count++) {
        *first = part_of(to, 0, count);
        *rest = part_of(to, count, to->count - count);
        if (axis_list_size(p->grid, first) == shards)
            return true;
    }
    return false;
}

/* Where axes do not divide so: permutes to the target's axes, except that dimension `from` has in
 * addition those which an all-to-all then moves to dimension `to`. */
static bool plan_relabel(struct planner *p, int from, int to)
{
    struct tiling_room room;
    struct tiling *after = tiling_edit(&room, p->to);
    struct axis_list first, rest;
    if (from == to || !split_axes(p, to, &first, &rest) || !rest.count)
        return false;
    after->dims[to] = first;
    append(&after->dims[from], &rest);
    for (int dim = 0; dim < after->rank; dim++)
        if (axis_list_size(p->grid, &after->dims[dim]) !=
            axis_list_size(p->grid, &p->now->dims[dim]))
            return false;
    if (tiling_equal(after, p->now) || has_repeated_axes(after))
        return false;
    add_step(p, RESHARD_PERMUTE, 0, 0, (struct axis_list){0}, after);
    return true;
}

static bool has_sizes_of_target(const struct planner *p, const struct tiling *tiling)
{
    for (int dim = 0; dim < tiling->rank; dim++)
        if (axis_list_size(p->grid, &tiling->dims[dim]) !=
            axis_list_size(p->grid, &p->to->dims[dim]))
            return false;
    return true;
}

/* Moves the last axes of dimension `from` to dimension `to` so that every dimension has as many
 * shards as in the target, to whose axes a permute then brings it. */
static bool plan_resize(struct planner *p, int from, int to)
{
    const struct axis_list *now = &p->now->dims[from], *other = &p->now->dims[to];
    for (int count = 1; count <= now->count && from != to; count++) {
        struct axis_list axes = part_of(now, now->count - count, count);
        struct axis_list left = part_of(now, 0, now->count - count);
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        after->dims[from] = left;
        append(&after->dims[to], &axes);
        if (!has_sizes_of_target(p, after) || !is_aligned(p, to, other, &axes) ||
            !is_aligned(p, from, &left, &axes))
            continue;
        add_step(p, RESHARD_EXCHANGE, from, to, axes, after);
        return true;
    }
    return false;
}

static bool plan_other_axes(struct planner *p)
{
    if (plan_growth(p))
        return true;
    for (int from = 0; from < p->now->rank; from++)
        for (int to = 0; to < p->now->rank; to++)
            if (plan_resize(p, from, to))
                return true;
    for (int from = 0; from < p->now->rank; from++)
        for (int to = 0; to < p->now->rank; to++)
            if (plan_relabel(p, from, to))
                return true;
    return false;
}

/* ---- all-gather ------------------------------------------------------------------------------ */
/* Where a dimension keeps some of its axes that are not its first: permutes so that they are, and
 * the others can be gathered. */
static bool plan_front(struct planner *p)
{
    uint32_t wanted = tiling_axes(p->to);
    for (int dim = 0; dim < p->now->rank; dim++) {
        const struct axis_list *now = &p->now->dims[dim], *to = &p->to->dims[dim];
        uint32_t kept = axis_list_set(to), set = axis_list_set(now);
        if (is_prefix(to, now) || kept & ~set || set & ~kept & wanted)
            continue;
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        struct axis_list rest = list_of_set(set & ~kept);
        after->dims[dim] = *to;
        append(&after->dims[dim], &rest);
        add_step(p, RESHARD_PERMUTE, 0, 0, (struct axis_list){0}, after);
        return true;
    }
    return false;
}

static void add_gather(struct planner *p, int dim, int count)
{
    const struct axis_list *now = &p->now->dims[dim];
    struct axis_list axes = part_of(now, now->count - count, count);
    struct tiling_room room;
    struct tiling *after = tiling_edit(&room, p->now);
    after->dims[dim] = part_of(now, 0, now->count - count);
    add_step(p, RESHARD_GATHER, dim, dim, axes, after);
}

/* Removes the last axes of a dimension: those up to one that another dimension will take. */
static bool plan_gather(struct planner *p)
{
    uint32_t wanted = tiling_axes(p->to);
    for (int dim = 0; dim < p->now->rank; dim++) {
        const struct axis_list *now = &p->now->dims[dim];
        int most = now->count - axis_list_common(now, &p->to->dims[dim]), count = 1;
        if (!most)
            continue;
        while (count < most && (p->is_modeled || !(wanted >> now->at[now->count - count - 1] & 1)))
            count++;
        struct axis_list left = part_of(now, 0, now->count - count);
        struct axis_list axes = part_of(now, now->count - count, count);
        add_gather(p, dim, is_aligned(p, dim, &left, &axes) ? count : now->count);
        return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */
/* Gathers everything and slices what is wanted. */
static void plan_by_replication(struct planner *p)
{
    for (int dim = 0; dim < p->now->rank; dim++)
        if (p->now->dims[dim].count)
            add_gather(p, dim, p->now->dims[dim].count);
    while (plan_slice(p))
        continue;
}

static void start(struct planner *p, const struct tiling *from)
{
    p->plan->count = 0, p->plan->bytes = 0, p->failed = false;
    p->now = from;
    plan_reductions(p);
}

static bool is_done(const struct planner *p)
{
    return p->failed || tiling_equal(p->now, p->to);
}

/* Makes the value unreduced over the axes of the set: of the shards to sum, all but one are 0. */
static void plan_unreduced(struct planner *p, uint32_t axes)
{
    struct tiling_room room;
    struct tiling *after = tiling_edit(&room, p->now);
    after->unreduced |= axes;
    if (axes)
        add_step(p, RESHARD_KEEP_FIRST, 0, 0, list_of_set(axes), after);
}

/* Of the shards of a dimension, terms of a sum over the last of its axes. */
static void plan_surround(struct planner *p, uint32_t unreduced)
{
    for (int dim = 0; dim < p->now->rank; dim++) {
        const struct axis_list *now = &p->now->dims[dim];
        int kept = now->count;
        while (kept && unreduced >> now->at[kept - 1] & 1)
            kept--;
        struct axis_list left = part_of(now, 0, kept), axes = part_of(now, kept, now->count - kept);
        if (!axes.count || p->type->shape.dims[dim] % axis_list_size(p->grid, now))
            continue;
        struct tiling_room room;
        struct tiling *after = tiling_edit(&room, p->now);
        after->dims[dim] = left;
        after->unreduced |= axis_list_set(&axes);
        add_step(p, RESHARD_SURROUND, dim, dim, axes, after);
    }
}

void reshard_plan(struct arena *arena, const struct device_grid *grid, bool is_modeled,
                  const struct type *type, const struct tiling *from, const struct tiling *target,
                  struct reshard_plan *plan)
{
    struct tiling_room room;
    struct tiling *to = tiling_edit(&room, target);
    struct planner p = {.arena = arena,
                        .grid = grid,
                        .type = type,
                        .to = to,
                        .plan = plan,
                        .is_modeled = is_modeled};
    to->unreduced &= from->unreduced;
    start(&p, from);
    plan_surround(&p, target->unreduced & ~from->unreduced);
    to->unreduced = p.now->unreduced;
    while (!is_done(&p) && (plan_slice(&p) || plan_permute(&p) || plan_exchange(&p) ||
                            plan_other_axes(&p) || plan_front(&p) || plan_gather(&p)))
        continue;
    if (!tiling_equal(p.now, to)) {
        to->unreduced = target->unreduced & from->unreduced;
        start(&p, from);
        plan_by_replication(&p);
    }
    plan_unreduced(&p, target->unreduced & ~to->unreduced);
}
