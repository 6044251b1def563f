#include "compiler/passes/spmd/halo_plan.h"

#include <string.h>

/* Elements of a source's block that a target needs. */
struct piece {
    int64_t source, target;
    int64_t first, count; /* in the block */
    int64_t place;        /* of the block's element 0 in the target's range */
    int step;
};

struct planner {
    struct arena *arena;
    const struct device_grid *grid;
    const struct halo *halo;
    struct halo_plan *plan;
    struct piece *pieces;
    int64_t count, capacity;
};

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* ---- participants ---------------------------------------------------------------------------- */
/* The coordinate on the axis of a participant's number; *stride: how far the next one is. */
static int64_t coordinate(const struct device_grid *grid, const struct axis_list *axes,
                          int64_t participant, int axis, int64_t *stride)
{
    *stride = 1;
    for (int i = axes->count - 1; i >= 0 && axes->at[i] != axis; i--)
        *stride *= grid->sizes[axes->at[i]];
    return participant / *stride % grid->sizes[axis];
}

int64_t halo_shard_index(const struct device_grid *grid, const struct axis_list *axes,
                         int64_t participant, const struct axis_list *list)
{
    int64_t index = 0, stride;
    for (int i = 0; i < list->count; i++)
        index = index * grid->sizes[list->at[i]] +
                coordinate(grid, axes, participant, list->at[i], &stride);
    return index;
}

/* The participant with block `index` and otherwise the coordinates of another one. */
static int64_t holder(const struct planner *p, int64_t participant, int64_t index)
{
    for (int i = p->halo->from.count - 1; i >= 0; i--) {
        int axis = p->halo->from.at[i];
        int64_t size = p->grid->sizes[axis], stride,
                at = coordinate(p->grid, &p->plan->axes, participant, axis, &stride);
        participant += (index % size - at) * stride;
        index /= size;
    }
    return participant;
}

static void number_participants(struct planner *p)
{
    struct axis_list *axes = &p->plan->axes;
    *axes = p->halo->from;
    for (int i = 0; i < p->halo->to.count; i++)
        if (!(axis_list_set(axes) >> p->halo->to.at[i] & 1))
            axes->at[axes->count++] = p->halo->to.at[i];
    p->plan->participants = axis_list_size(p->grid, axes);
}

/* ---- pieces ---------------------------------------------------------------------------------- */
/* What of range `r` matters and exists. */
static void wanted_range(const struct halo *halo, int64_t r, int64_t *begin, int64_t *end)
{
    *begin = larger(halo->starts[r], halo->begin);
    *end = smaller(halo->starts[r] + halo->counts[r], halo->end);
}

/* Adds the pieces of one participant's range; false if there are too many. */
static bool add_pieces(struct planner *p, int64_t target)
{
    const struct halo *halo = p->halo;
    int64_t r = halo_shard_index(p->grid, &p->plan->axes, target, &halo->to);
    int64_t begin, end, block = p->plan->block;
    wanted_range(halo, r, &begin, &end);
    for (int64_t j = begin / block; begin < end; j++) {
        int64_t next = smaller(end, (j + 1) * block);
        if (p->count == p->capacity)
            return false;
        p->pieces[p->count++] = (struct piece){.source = holder(p, target, j),
                                               .target = target,
                                               .first = begin - j * block,
                                               .count = next - begin,
                                               .place = j * block - halo->starts[r]};
        begin = next;
    }
    return true;
}

static bool find_pieces(struct planner *p)
{
    if (p->plan->participants > HALO_MAX_PARTICIPANTS)
        return false;
    p->capacity = p->plan->participants * HALO_MAX_STEPS;
    int64_t needed = 0;
    for (int64_t r = 0; r < axis_list_size(p->grid, &p->halo->to); r++)
        needed = larger(needed, p->halo->counts[r] / p->plan->block + 2);
    p->capacity = smaller(p->capacity, p->plan->participants * needed);
    p->pieces = ARENA_ARRAY(p->arena, struct piece, (size_t)p->capacity);
    for (int64_t target = 0; target < p->plan->participants; target++)
        if (!add_pieces(p, target))
            return false;
    return true;
}

/* ---- assigning pieces to steps --------------------------------------------------------------- */
/* By the distance of source and target: a halo has few. Own pieces have distance 0. */
static bool assign_by_distance(struct planner *p)
{
    int64_t distances[HALO_MAX_STEPS];
    int count = 0;
    for (int64_t i = 0; i < p->count; i++) {
        int64_t distance = p->pieces[i].source - p->pieces[i].target;
        int step = 0;
        while (step < count && distances[step] != distance)
            step++;
        if (step == HALO_MAX_STEPS)
            return false;
        if (step == count)
            distances[count++] = distance;
        p->pieces[i].step = step;
    }
    p->plan->step_count = count;
    return true;
}

/* Each piece gets the first step in which neither its source nor its target takes part; with
 * `own`, the pieces that stay have a step of their own, the first. */
static bool assign_greedily(struct planner *p, bool own)
{
    size_t participants = (size_t)p->plan->participants;
    uint32_t *sends = ARENA_ARRAY(p->arena, uint32_t, participants),
             *receives = ARENA_ARRAY(p->arena, uint32_t, participants);
    p->plan->step_count = own;
    for (int64_t i = 0; i < p->count; i++) {
        struct piece *piece = &p->pieces[i];
        uint32_t used = sends[piece->source] | receives[piece->target] | own;
        bool stays = own && piece->source == piece->target;
        if (!~used && !stays)
            return false;
        piece->step = stays ? 0 : __builtin_ctz(~used);
        if (!stays) {
            sends[piece->source] |= UINT32_C(1) << piece->step;
            receives[piece->target] |= UINT32_C(1) << piece->step;
        }
        p->plan->step_count = (int)larger(p->plan->step_count, piece->step + 1);
    }
    return true;
}

/* ---- steps ----------------------------------------------------------------------------------- */
static void init_steps(struct planner *p)
{
    size_t participants = (size_t)p->plan->participants;
    for (int s = 0; s < p->plan->step_count; s++) {
        struct halo_step *step = &p->plan->steps[s];
        *step = (struct halo_step){.is_own = true,
                                   .pairs = ARENA_ARRAY(p->arena, int64_t, 2 * participants),
                                   .firsts = ARENA_ARRAY(p->arena, int64_t, participants),
                                   .places = ARENA_ARRAY(p->arena, int64_t, participants)};
        for (size_t i = 0; i < participants; i++)
            step->places[i] = p->halo->size;
    }
}

static void add_pair(struct halo_step *step, const struct piece *piece)
{
    step->pairs[2 * step->pair_count] = piece->source;
    step->pairs[2 * step->pair_count + 1] = piece->target;
    step->pair_count++;
    step->is_own &= piece->source == piece->target;
}

/* Steps whose pieces have one place each: of all blocks the same elements are sent, those that any
 * target needs. False if places differ, or steps overlap. */
static bool make_fixed(struct planner *p)
{
    init_steps(p);
    int64_t ends[HALO_MAX_STEPS] = {0}, shifts[HALO_MAX_STEPS], firsts[HALO_MAX_STEPS];
    for (int64_t i = 0; i < p->count; i++) {
        const struct piece *piece = &p->pieces[i];
        struct halo_step *step = &p->plan->steps[piece->step];
        int s = piece->step;
        if (!step->pair_count)
            shifts[s] = piece->place, firsts[s] = piece->first;
        if (shifts[s] != piece->place)
            return false;
        firsts[s] = smaller(firsts[s], piece->first);
        ends[s] = larger(ends[s], piece->first + piece->count);
        add_pair(step, piece);
    }
    for (int s = 0; s < p->plan->step_count; s++) {
        struct halo_step *step = &p->plan->steps[s];
        int64_t first = step->pair_count ? firsts[s] : 0;
        step->size = step->pair_count ? ends[s] - first : 0;
        for (int64_t i = 0; i < p->plan->participants; i++) {
            step->firsts[i] = first;
            step->places[i] = step->pair_count ? shifts[s] + first : 0;
        }
    }
    return true;
}

static void make_shifted(struct planner *p)
{
    init_steps(p);
    for (int64_t i = 0; i < p->count; i++) {
        struct halo_step *step = &p->plan->steps[p->pieces[i].step];
        step->size = larger(step->size, p->pieces[i].count);
    }
    for (int64_t i = 0; i < p->count; i++) {
        const struct piece *piece = &p->pieces[i];
        struct halo_step *step = &p->plan->steps[piece->step];
        int64_t first = smaller(piece->first, p->plan->block - step->size);
        step->firsts[piece->source] = first;
        step->places[piece->target] = piece->place + first;
        add_pair(step, piece);
    }
}

/* ---- the order of pieces --------------------------------------------------------------------- */
static void remove_empty(struct halo_plan *plan)
{
    int count = 0;
    for (int s = 0; s < plan->step_count; s++)
        if (plan->steps[s].pair_count)
            plan->steps[count++] = plan->steps[s];
    plan->step_count = count;
}

/* Sorts by place; false when pieces overlap or leave the range, so that they cannot be
 * concatenated. */
static bool sort_by_place(struct halo_plan *plan, int64_t size)
{
    int64_t end = 0;
    for (int s = 1; s < plan->step_count; s++)
        for (int i = s; i && plan->steps[i].places[0] < plan->steps[i - 1].places[0]; i--) {
            struct halo_step swapped = plan->steps[i];
            plan->steps[i] = plan->steps[i - 1];
            plan->steps[i - 1] = swapped;
        }
    for (int s = 0; s < plan->step_count; s++) {
        if (plan->steps[s].places[0] < end)
            return false;
        end = plan->steps[s].places[0] + plan->steps[s].size;
    }
    return end <= size;
}

/* ---- the whole ------------------------------------------------------------------------------- */
static double sent_elements(const struct halo_plan *plan)
{
    double sent = 0;
    for (int s = 0; s < plan->step_count; s++)
        for (int64_t i = 0; i < plan->steps[s].pair_count; i++)
            if (plan->steps[s].pairs[2 * i] != plan->steps[s].pairs[2 * i + 1])
                sent += (double)plan->steps[s].size;
    return sent / (double)plan->participants;
}

static bool is_fixed(struct planner *p)
{
    if (!make_fixed(p))
        return false;
    remove_empty(p->plan);
    return sort_by_place(p->plan, p->halo->size);
}

/* Plans the permutes; false if there would be too many. */
static bool plan_permutes(struct planner *p)
{
    p->plan->kind = HALO_FIXED;
    if (!find_pieces(p))
        return false;
    if (!(assign_by_distance(p) && is_fixed(p)) && !(assign_greedily(p, false) && is_fixed(p))) {
        p->plan->kind = HALO_SHIFTED;
        if (!assign_greedily(p, true))
            return false;
        make_shifted(p);
        remove_empty(p->plan);
    }
    p->plan->elements = sent_elements(p->plan);
    return true;
}

/* One piece for each block that has some of the only range; from its participant 0 on the axes
 * that do not matter. False if there are too many. */
static bool plan_broadcasts(struct planner *p)
{
    double others = 1 - 1 / (double)p->plan->participants;
    p->plan->kind = HALO_SHARED;
    if (p->plan->participants > HALO_MAX_PARTICIPANTS)
        return false;
    p->capacity = HALO_MAX_BROADCASTS;
    p->pieces = ARENA_ARRAY(p->arena, struct piece, (size_t)p->capacity);
    if (!add_pieces(p, 0))
        return false;
    for (int64_t i = 0; i < p->count; i++) {
        p->pieces[i].target = p->pieces[i].source;
        p->pieces[i].step = (int)i;
        p->plan->elements += others * (double)p->pieces[i].count;
    }
    p->plan->step_count = (int)p->count;
    return make_fixed(p);
}

static bool is_cheap(const struct halo_plan *plan, double gathered)
{
    return plan->elements < gathered || (plan->elements <= gathered && plan->step_count <= 2);
}

void halo_plan(struct arena *arena, const struct device_grid *grid, const struct halo *halo,
               struct halo_plan *plan)
{
    struct planner p = {.arena = arena, .grid = grid, .halo = halo, .plan = plan};
    int64_t shards = axis_list_size(grid, &halo->from);
    memset(plan, 0, sizeof *plan);
    plan->block = halo->whole / shards + (halo->whole % shards != 0);
    number_participants(&p);
    double gathered = (double)(shards - 1) * (double)plan->block;
    bool is_planned =
        shards > 1 && plan->block && (halo->to.count ? plan_permutes(&p) : plan_broadcasts(&p));
    if (is_planned && is_cheap(plan, gathered))
        return;
    plan->kind = HALO_WHOLE;
    plan->step_count = 0;
    plan->elements = gathered;
}

bool halo_reaches_outside(const struct device_grid *grid, const struct halo *halo)
{
    for (int64_t r = 0; r < axis_list_size(grid, &halo->to); r++)
        if (halo->counts[r] &&
            (halo->starts[r] < halo->begin || halo->starts[r] + halo->counts[r] > halo->end))
            return true;
    return false;
}
