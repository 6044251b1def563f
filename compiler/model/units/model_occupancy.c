/* model_occupancy.c: a segment tree: per node, the bytes that apply to all its positions, and the
 * most at any of its positions, those included. */
#include "compiler/model/units/model_occupancy.h"

struct model_occupancy {
    int64_t count;
    uint64_t *all, *most;
};

struct model_occupancy *model_occupancy_create(struct arena *arena, int64_t count)
{
    struct model_occupancy *made = ARENA_NEW(arena, struct model_occupancy);
    made->count = count > 0 ? count : 1;
    made->all = ARENA_ARRAY(arena, uint64_t, 4 * (size_t)made->count);
    made->most = ARENA_ARRAY(arena, uint64_t, 4 * (size_t)made->count);
    return made;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Within the positions [first, last], in the node for [begin, end). */
static uint64_t peak(const struct model_occupancy *o, int64_t node, int64_t begin, int64_t end,
                     int64_t first, int64_t last)
{
    if (end <= first || begin > last)
        return 0;
    if (begin >= first && end <= last + 1)
        return o->most[node];
    int64_t middle = begin + (end - begin) / 2;
    return o->all[node] + larger(peak(o, 2 * node, begin, middle, first, last),
                                 peak(o, 2 * node + 1, middle, end, first, last));
}

uint64_t model_occupancy_peak(const struct model_occupancy *occupancy, int64_t first, int64_t last)
{
    return peak(occupancy, 1, 0, occupancy->count, first, last);
}

static void add(struct model_occupancy *o, int64_t node, int64_t begin, int64_t end, int64_t first,
                int64_t last, uint64_t bytes)
{
    if (end <= first || begin > last)
        return;
    if (begin >= first && end <= last + 1) {
        o->all[node] += bytes;
        o->most[node] += bytes;
        return;
    }
    int64_t middle = begin + (end - begin) / 2;
    add(o, 2 * node, begin, middle, first, last, bytes);
    add(o, 2 * node + 1, middle, end, first, last, bytes);
    o->most[node] = o->all[node] + larger(o->most[2 * node], o->most[2 * node + 1]);
}

void model_occupancy_add(struct model_occupancy *occupancy, int64_t first, int64_t last,
                         uint64_t bytes)
{
    add(occupancy, 1, 0, occupancy->count, first, last, bytes);
}
