/* radix_groups.c: see radix_groups.h. */
#include "compiler/codegen/routines/radix_groups.h"

#include <stdatomic.h>

#include "base/pool.h"
#include "compiler/codegen/routines/radix_merge.h"
#include "compiler/codegen/routines/radix_range.h"

enum {
    RANGE_BITS = 12, /* of the digits by which groups are sorted */
    SHORT_BITS = 8,
    MAX_GROUP = 32768,
    MAX_SHORT_GROUP = 6144, /* after a short first digit */
    MAX_SMALL_GROUP = 2048
};

struct groups {
    const struct radix_row *row;
    const struct radix_buckets *buckets;
    int64_t count, longest;
    uint16_t first[RADIX_GROUPS_MAX_BUCKETS + 1]; /* bucket of each; at last, how many there are */
    /* of a round, in which groups of more than `shortest` and at most `room` elements are sorted */
    int64_t shortest, room, grain;
    atomic_llong next;
};

static int64_t at_most(int64_t value, int64_t limit)
{
    return value < limit ? value : limit;
}

static int bits_of(uint64_t value)
{
    return value ? 64 - __builtin_clzll(value) : 0;
}

/* Where group i begins, and the one before it ends. */
static int64_t begin_of(const struct groups *g, int64_t i)
{
    return g->first[i] ? g->buckets->ends[g->first[i] - 1] : 0;
}

/* Ends a group in front of the bucket with which it would have more than `most` elements. */
static void find_groups(struct groups *g, int64_t most)
{
    for (int64_t bucket = 0; bucket < g->buckets->count; bucket++)
        if (!bucket || g->buckets->ends[bucket] - begin_of(g, g->count - 1) > most)
            g->first[g->count++] = (uint16_t)bucket;
    g->first[g->count] = (uint16_t)g->buckets->count;
    for (int64_t i = 0; i < g->count; i++) {
        int64_t length = begin_of(g, i + 1) - begin_of(g, i);
        g->longest = length > g->longest ? length : g->longest;
    }
}

/* How many low bits of the keys of a group may differ. The outer buckets have any keys. */
static int bits_in(const struct groups *g, int64_t group)
{
    const struct radix_buckets *b = g->buckets;
    int64_t first = g->first[group], end = g->first[group + 1];
    int whole = g->row->sort->key_bits;
    uint64_t from = b->base + ((uint64_t)first << b->shift),
             to = b->base + ((uint64_t)end << b->shift) - 1;
    int bits = first == 0 || end == b->count ? whole : bits_of(from ^ to);
    return bits < 1 ? 1 : bits > whole ? whole : bits;
}

/* Divides the bits of a group of `size` elements into digits: of 8 bits if it is small, since each
 * digit has a table to clear and to sum. */
static void choose_bits(struct radix_range *range, const struct radix_sort *sort, int bits,
                        int64_t size)
{
    int most = radix_range_bits(sort, RANGE_BITS);
    int places = (sort->key_bits + most - 1) / most;
    int width = size <= MAX_SMALL_GROUP ? SHORT_BITS : most;
    int digits = (bits + width - 1) / width;
    range->digits = digits < places ? digits : places;
    range->bits = (bits + range->digits - 1) / range->digits;
}

/* Sorts at most `room` elements at once. There are more only if the room is all second arrays. */
static void sort_group(const struct groups *g, int64_t group, struct radix_range *range,
                       void *const *second)
{
    int64_t low = begin_of(g, group), end = begin_of(g, group + 1);
    void *arrays[RADIX_MAX_ARRAYS];
    choose_bits(range, g->row->sort, bits_in(g, group), end - low);
    for (int64_t piece = low; piece < end; piece += g->room) {
        int64_t length = at_most(end - piece, g->room);
        radix_arrays_at(g->row->sort, g->row->first, piece, arrays);
        radix_range_sort(range, g->row, arrays, second, length);
        if (piece > low)
            radix_merge(g->row, low, piece, length);
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */
/* Whether a group is sorted in this round. */
static bool is_due(const struct groups *g, int64_t group)
{
    int64_t length = begin_of(g, group + 1) - begin_of(g, group);
    bool is_last = g->room == g->row->sort->capacity;
    return length > g->shortest && (is_last || length <= g->room);
}

/* Sorts groups, whichever is next, in the room of this thread. */
static void sort_in_room(void *context, int64_t begin, int64_t end)
{
    (void)end;
    struct groups *g = context;
    struct radix_range range;
    void *second[RADIX_MAX_ARRAYS];
    radix_arrays_at(g->row->sort, g->row->second, begin / g->grain * g->room, second);
    for (int64_t i; (i = atomic_fetch_add_explicit(&g->next, 1, memory_order_relaxed)) < g->count;)
        if (is_due(g, i))
            sort_group(g, i, &range, second);
}

/* The pool sees as many items as the row has elements: it remembers how long such calls take. */
static void sort_round(struct groups *g, int64_t rooms)
{
    const struct radix_sort *sort = g->row->sort;
    g->room = sort->capacity / rooms;
    g->grain = (sort->length + rooms - 1) / rooms;
    atomic_store_explicit(&g->next, 0, memory_order_relaxed);
    pool_parallel(pool_shared(), sort->length, g->grain, sort_in_room, g);
    g->shortest = g->room;
}

void radix_groups_sort(const struct radix_row *row, const struct radix_buckets *buckets)
{
    struct groups g = {.row = row, .buckets = buckets, .shortest = 1};
    int64_t capacity = row->sort->capacity;
    int64_t most = row->sort->has_long_digit ? MAX_GROUP : MAX_SHORT_GROUP;
    int64_t rooms = at_most(pool_width(pool_shared()), capacity / MAX_SHORT_GROUP);
    find_groups(&g, at_most(most, capacity / rooms));
    sort_round(&g, rooms);
    if (g.longest > g.room && rooms > 1)
        sort_round(&g, g.longest < capacity ? capacity / g.longest : 1);
}
