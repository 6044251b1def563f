/* model_links.c: see model_links.h. */
#include "compiler/model/links/model_links.h"

#include <stdlib.h>

#include "base/gcd.h"
#include "base/map.h"

enum { AXES = 3 };

struct place {
    int64_t slice;
    int at[AXES], core;
};

struct links {
    const struct accelerator *accelerator;
    const struct module *module;
    struct interconnect net;
    int cores; /* devices of a chip */
    bool rings[AXES];
    int64_t participants, chips; /* chips: of a slice; 0: unknown */
};

static void find_rings(struct links *l)
{
    bool all = true;
    int unit = l->accelerator->ring_size;
    for (int i = 0; i < AXES; i++) {
        l->rings[i] = unit && l->net.bounds[i] % unit == 0;
        all &= l->rings[i];
    }
    for (int i = 0; i < AXES && l->accelerator->links > 4; i++)
        l->rings[i] = all;
}

static struct links links_of(const struct module *module, const struct target *target)
{
    struct links l = {.accelerator = target->accelerator,
                      .module = module,
                      .net = target->interconnect,
                      .participants = (int64_t)module->num_replicas * module->num_partitions};
    l.cores = l.accelerator->devices_per_chip > 1 ? l.accelerator->devices_per_chip : 1;
    bool known = l.net.bounds[0] > 0 && l.net.bounds[1] > 0 && l.net.bounds[2] > 0;
    l.chips = known ? (int64_t)l.net.bounds[0] * l.net.bounds[1] * l.net.bounds[2] : 0;
    if (known)
        find_rings(&l);
    return l;
}

/* Ids that the client assigned may be any numbers. */
static struct place place_of(const struct links *l, int64_t participant)
{
    const int64_t *assignment = l->module->device_assignment;
    int64_t id = assignment ? assignment[participant] : participant, devices = l->chips * l->cores;
    struct place place = {0};
    if (id < 0)
        return place;
    if (l->net.slices > 1 && id >= INTERCONNECT_SLICE_IDS) {
        place.slice = id / INTERCONNECT_SLICE_IDS - 1;
        id %= INTERCONNECT_SLICE_IDS;
    } else {
        place.slice = id / devices;
    }
    id %= devices;
    place.core = (int)(id % l->cores);
    id /= l->cores;
    for (int i = 0; i < AXES; i++) {
        place.at[i] = (int)(id % l->net.bounds[i]);
        id /= l->net.bounds[i];
    }
    return place;
}

/* ---- a group --------------------------------------------------------------------------------- */
struct span { /* of members: at first, first + step, ... last */
    int64_t first, last, step;
};

enum { CORE = AXES, SLICE, SIDES };

struct side { /* of the box that a group is: `count` members, each `step` after the one before */
    int64_t step, count;
};

/* A key of a map: without padding. Groups with equal boxes take equally long. */
struct box {
    struct side sides[SIDES];
    int64_t members;
};

static int64_t position(const struct place *place, int side)
{
    return side < AXES ? place->at[side] : side == CORE ? place->core : place->slice;
}

static void stretch(struct span *span, int64_t at, bool is_first)
{
    if (is_first)
        span->first = span->last = at;
    span->step = gcd_of(span->step, llabs(at - span->first));
    span->first = at < span->first ? at : span->first;
    span->last = at > span->last ? at : span->last;
}

/* A line of as many chips, in members' order. */
static struct box line_of(const struct links *l, int64_t members)
{
    struct box box = {.members = members};
    for (int i = 0; i < SIDES; i++)
        box.sides[i] = (struct side){.step = 1, .count = 1};
    box.sides[0].count = members;
    if (l->chips) /* along all axes in turn: each step may cross a whole axis */
        box.sides[0].step = l->net.bounds[0] > 1 ? l->net.bounds[0] : 1;
    return box;
}

static struct side side_of(const struct span *span)
{
    return span->step ? (struct side){span->step, (span->last - span->first) / span->step + 1}
                      : (struct side){1, 1};
}

/* A group of unknown places, or without some places of its box: a line. */
static struct box box_of(const struct links *l, const struct program_groups *groups, int group)
{
    int begin = groups->offsets[group], end = groups->offsets[group + 1];
    struct box box = {.members = end - begin};
    struct span spans[SIDES] = {{0}};
    double places = 1;
    for (int i = begin; l->chips && i < end; i++) {
        struct place place = place_of(l, groups->members[i]);
        for (int k = 0; k < SIDES; k++)
            stretch(&spans[k], position(&place, k), i == begin);
    }
    for (int k = 0; k < SIDES; k++) {
        box.sides[k] = side_of(&spans[k]);
        places *= (double)box.sides[k].count;
    }
    bool is_whole = l->chips && places == (double)box.members;
    return is_whole ? box : line_of(l, box.members);
}

/* Bytes a second that each chip gets along an axis of the box. */
static double rate_of(const struct links *l, const struct box *box, int axis)
{
    const struct side *side = &box->sides[axis];
    bool ring = l->rings[axis] && side->count * side->step == l->net.bounds[axis];
    int shared = box->sides[CORE].count > 1 ? 1 : l->cores; /* by groups of the other cores */
    return l->accelerator->link_rate * (ring ? 2 : 1) / (double)(side->step * shared);
}

static double hops_of(const struct links *l, const struct box *box)
{
    double hops = 0;
    for (int i = 0; i < AXES; i++) {
        const struct side *side = &box->sides[i];
        bool ring = l->rings[i] && side->count * side->step == l->net.bounds[i];
        hops += (double)((ring ? side->count / 2 : side->count - 1) * side->step);
    }
    return hops * l->accelerator->hop_seconds;
}

static double divided(double bytes, double rate)
{
    return bytes > 0 && rate > 0 ? bytes / rate : 0;
}

/* Every member gets what it lacks of `whole` bytes, of which each has an equal part. */
static double gather_seconds(const struct links *l, const struct box *box, double whole)
{
    const struct accelerator *a = l->accelerator;
    double slices = (double)box->sides[SLICE].count, cores = (double)box->sides[CORE].count,
           chips = (double)box->members / slices / cores, rate = 0;
    for (int i = 0; i < AXES; i++)
        rate += box->sides[i].count > 1 ? rate_of(l, box, i) : 0;
    return divided(whole * (chips - 1) / chips, rate) +
           divided(whole * (cores - 1) / cores, a->core_link_rate) +
           divided(whole * (slices - 1) / slices / (chips * cores), a->network_rate) +
           hops_of(l, box);
}

static double exchange_seconds(const struct links *l, const struct box *box, double bytes)
{
    const struct accelerator *a = l->accelerator;
    double slices = (double)box->sides[SLICE].count, cores = (double)box->sides[CORE].count;
    double slowest = divided(bytes * (slices - 1) / slices, a->network_rate);
    for (int i = 0; i < AXES; i++) {
        int64_t count = box->sides[i].count, crossing = count / 2 * (count - count / 2);
        double part = bytes * cores / (double)count * (double)crossing;
        double seconds = divided(part, rate_of(l, box, i));
        slowest = seconds > slowest ? seconds : slowest;
    }
    return slowest + divided(bytes * (cores - 1) / cores, a->core_link_rate) + hops_of(l, box);
}

static double group_seconds(const struct links *l, enum op_code code, const struct box *box,
                            double bytes)
{
    switch (code) {
    case OP_all_gather: return gather_seconds(l, box, bytes * (double)box->members);
    case OP_all_to_all: return exchange_seconds(l, box, bytes);
    case OP_all_reduce: return 2 * gather_seconds(l, box, bytes);
    default: return gather_seconds(l, box, bytes);
    }
}

/* The different boxes of the groups that have several members. */
static struct map *boxes_of(const struct links *l, const struct program_groups *groups)
{
    struct map *boxes = map_create(l->module->arena);
    for (int g = 0; g < groups->group_count; g++) {
        struct box box = {0};
        if (groups->offsets[g + 1] - groups->offsets[g] > 1)
            box = box_of(l, groups, g);
        if (box.members)
            map_intern(boxes, &box, sizeof box);
    }
    return boxes;
}

static double groups_seconds(const struct links *l, enum op_code code, const struct map *boxes,
                             double bytes)
{
    double slowest = 0;
    for (size_t i = 0; i < map_count(boxes); i++) {
        const void *box;
        map_at(boxes, i, &box, NULL);
        double seconds = group_seconds(l, code, box, bytes);
        slowest = seconds > slowest ? seconds : slowest;
    }
    return slowest;
}

/* ---- permutes -------------------------------------------------------------------------------- */
struct traffic {
    int64_t *crossings; /* of each chip's link along each axis, up and down; all 0 at the end */
    int64_t most;
    int64_t longest;     /* way, in hops */
    bool cores, network; /* is used */
};

/* The direction of the shorter way, and its length. */
static int64_t way_of(const struct links *l, int axis, int from, int to, int *direction)
{
    int size = l->net.bounds[axis], up = (to - from + size) % size, down = size - up;
    if (!l->rings[axis]) {
        *direction = to > from ? 1 : -1;
        return abs(to - from);
    }
    *direction = up <= down ? 1 : -1;
    return up <= down ? up : down;
}

static int64_t chip_of(const struct links *l, const struct place *place)
{
    const int *bounds = l->net.bounds;
    return ((int64_t)place->at[2] * bounds[1] + place->at[1]) * bounds[0] + place->at[0];
}

/* `change`: 1, or -1 to take it back. */
static void cross(const struct links *l, struct traffic *t, struct place from,
                  const struct place *to, int change)
{
    int64_t hops = 0;
    for (int axis = 0; axis < AXES; axis++) {
        int direction, size = l->net.bounds[axis];
        int64_t way = way_of(l, axis, from.at[axis], to->at[axis], &direction);
        for (int64_t i = 0; i < way; i++) {
            int64_t link = (chip_of(l, &from) * AXES + axis) * 2 + (direction > 0);
            t->crossings[link] += change;
            if (t->crossings[link] > t->most)
                t->most = t->crossings[link];
            from.at[axis] = (from.at[axis] + direction + size) % size;
        }
        hops += way;
    }
    t->longest = hops > t->longest ? hops : t->longest;
}

/* Adds all pairs, or takes them back. */
static void cross_all(const struct links *l, struct traffic *t, const struct pairs *pairs,
                      int change)
{
    for (int64_t i = 0; i < pairs->rows && l->chips; i++) {
        struct place from = place_of(l, pairs->at[2 * i]), to = place_of(l, pairs->at[2 * i + 1]);
        t->network |= from.slice != to.slice;
        t->cores |= from.core != to.core;
        if (from.slice == to.slice)
            cross(l, t, from, &to, change);
    }
}

static struct traffic *traffic_of(const struct links *l, struct model_links *state,
                                  const struct pairs *pairs)
{
    struct traffic *t = ARENA_NEW(l->module->arena, struct traffic);
    if (!state->crossings && l->chips)
        state->crossings = ARENA_ARRAY(l->module->arena, int64_t, (size_t)l->chips *AXES * 2);
    *t = (struct traffic){.crossings = state->crossings, .most = !l->chips, .longest = !l->chips};
    cross_all(l, t, pairs, 1);
    cross_all(l, t, pairs, -1);
    return t;
}

static double permute_seconds(const struct links *l, const struct traffic *t, double bytes)
{
    const struct accelerator *a = l->accelerator;
    return divided(bytes * (double)t->most, a->link_rate) + (double)t->longest * a->hop_seconds +
           divided(t->cores ? bytes : 0, a->core_link_rate) +
           divided(t->network ? bytes : 0, a->network_rate);
}

/* ---- the whole ------------------------------------------------------------------------------- */
/* Boxes of the groups, or the traffic of a permute's pairs. */
static void *use_of(const struct links *l, struct model_links *state, const struct op *op,
                    const struct program_groups *groups)
{
    if (!state->uses)
        state->uses = map_create(l->module->arena);
    void *known = map_get_pointer(state->uses, groups->members);
    if (known)
        return known;
    known = op->code == OP_collective_permute
                ? (void *)traffic_of(l, state, &op->attrs.collective_permute.source_target_pairs)
                : boxes_of(l, groups);
    map_put_pointer(state->uses, groups->members, known);
    return known;
}

double model_links_seconds(struct model_links *state, const struct op *op,
                           const struct program_groups *groups, double bytes)
{
    struct links l = links_of(state->module, state->target);
    const void *use = use_of(&l, state, op, groups);
    return op->code == OP_collective_permute ? permute_seconds(&l, use, bytes)
                                             : groups_seconds(&l, op->code, use, bytes);
}
