/* solve_room.c: see solve_room.h. */
#include "compiler/passes/spmd/solve/solve_room.h"

struct part {            /* of the rows: one of them, or those of two smaller parts */
    int64_t least, most; /* free bytes, without what larger parts have taken */
    uint64_t sum;        /* of all rows' free bytes, modulo 2^64 */
    int64_t taken;       /* in all rows of the part, since they were set */
};

struct solve_room {
    int row_count, width; /* width: leaves, a power of two; leaf r is parts[width + r] */
    struct part *parts;   /* parts[i] has parts[2 * i] and parts[2 * i + 1] */
};

struct span { /* rows of part `at`: begin to begin + width - 1 */
    int at, begin, width;
};

struct solve_room *solve_room_create(struct arena *arena, int row_count)
{
    struct solve_room *room = ARENA_NEW(arena, struct solve_room);
    *room = (struct solve_room){.row_count = row_count, .width = 1};
    while (room->width < row_count)
        room->width *= 2;
    room->parts = ARENA_ARRAY(arena, struct part, 2 * (size_t)room->width);
    return room;
}

/* ---- parts ----------------------------------------------------------------------------------- */
static struct span half_of(struct span span, int half)
{
    int width = span.width / 2;
    return (struct span){2 * span.at + half, span.begin + half * width, width};
}

static void join_halves(struct solve_room *room, int at, int width)
{
    struct part *part = &room->parts[at], *a = &room->parts[2 * at], *b = a + 1;
    part->least = (a->least < b->least ? a->least : b->least) - part->taken;
    part->most = (a->most > b->most ? a->most : b->most) - part->taken;
    part->sum = a->sum + b->sum - (uint64_t)part->taken * (uint64_t)width;
}

/* Rows that do not exist have no free bytes: they are outside of all intervals. */
void solve_room_set(struct solve_room *room, const int64_t *bytes)
{
    for (int r = 0; r < room->width; r++) {
        int64_t free = r < room->row_count ? bytes[r] : 0;
        room->parts[room->width + r] = (struct part){free, free, (uint64_t)free, 0};
    }
    for (int at = room->width; at-- > 1;) {
        room->parts[at].taken = 0;
        join_halves(room, at, 0); /* nothing is taken of any row */
    }
}

static void take(struct solve_room *room, struct span span, int first, int last, int64_t bytes)
{
    struct part *part = &room->parts[span.at];
    if (last < span.begin || first >= span.begin + span.width)
        return;
    if (first <= span.begin && span.begin + span.width - 1 <= last) {
        part->least -= bytes, part->most -= bytes, part->taken += bytes;
        part->sum -= (uint64_t)bytes * (uint64_t)span.width;
        return;
    }
    take(room, half_of(span, 0), first, last, bytes);
    take(room, half_of(span, 1), first, last, bytes);
    join_halves(room, span.at, span.width);
}

void solve_room_take(struct solve_room *room, int first, int last, int64_t bytes)
{
    if (bytes)
        take(room, (struct span){1, 0, room->width}, first, last, bytes);
}

/* ---- excess ---------------------------------------------------------------------------------- */
/* Free bytes of all rows of a part. `outer`: bytes that larger parts have taken. */
static int64_t sum_of(const struct part *part, struct span span, int64_t outer)
{
    return (int64_t)(part->sum - (uint64_t)outer * (uint64_t)span.width);
}

/* Rows with enough room, with too little, and those of which the bytes are the first or last that
 * are too much, are alike: each part of them is one step. */
static int64_t growth(const struct solve_room *room, struct span span, int first, int last,
                      int64_t bytes, int64_t outer)
{
    const struct part *part = &room->parts[span.at];
    int64_t least = part->least - outer, most = part->most - outer;
    int64_t low = bytes < 0 ? bytes : 0, high = bytes > 0 ? bytes : 0;
    if (last < span.begin || first >= span.begin + span.width || least >= high)
        return 0;
    bool is_inside = first <= span.begin && span.begin + span.width - 1 <= last;
    if (is_inside && most <= low)
        return span.width * bytes;
    if (is_inside && least >= low && most <= high)
        return span.width * high + (bytes < 0 ? 1 : -1) * sum_of(part, span, outer);
    outer += part->taken;
    return growth(room, half_of(span, 0), first, last, bytes, outer) +
           growth(room, half_of(span, 1), first, last, bytes, outer);
}

int64_t solve_room_growth(const struct solve_room *room, int first, int last, int64_t bytes)
{
    return bytes ? growth(room, (struct span){1, 0, room->width}, first, last, bytes, 0) : 0;
}

static int64_t excess(const struct solve_room *room, struct span span, int64_t outer)
{
    const struct part *part = &room->parts[span.at];
    if (part->least - outer >= 0)
        return 0;
    if (part->most - outer <= 0)
        return -sum_of(part, span, outer);
    outer += part->taken;
    return excess(room, half_of(span, 0), outer) + excess(room, half_of(span, 1), outer);
}

int64_t solve_room_excess(const struct solve_room *room)
{
    return excess(room, (struct span){1, 0, room->width}, 0);
}

static int64_t least(const struct solve_room *room, struct span span, int first, int last)
{
    const struct part *part = &room->parts[span.at];
    if (last < span.begin || first >= span.begin + span.width)
        return INT64_MAX;
    if (first <= span.begin && span.begin + span.width - 1 <= last)
        return part->least;
    int64_t a = least(room, half_of(span, 0), first, last);
    int64_t b = least(room, half_of(span, 1), first, last);
    return (a < b ? a : b) - part->taken;
}

int64_t solve_room_least(const struct solve_room *room, int first, int last)
{
    return least(room, (struct span){1, 0, room->width}, first, last);
}
