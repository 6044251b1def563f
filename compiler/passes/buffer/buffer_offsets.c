/* buffer_offsets.c: see buffer_offsets.h.
 *
 * Large values come first. Each goes to the smallest gap that holds it between those placed so far
 * that are live at the same time. Where those are more than MOST_COMPARED, it goes above them all:
 * the peak over a range of times is known without looking at each (struct peaks). */
#include "compiler/passes/buffer/buffer_offsets.h"

#include <stdlib.h>

#include "compiler/passes/buffer/live_ranges.h"

enum { MOST_COMPARED = 1000 };

static uint64_t align(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static int compare(const void *left, const void *right)
{
    const struct buffer_life *x = left, *y = right;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return x->last < y->last ? -1 : x->last > y->last;
}

/* ---- the end of what is placed, over time ---------------------------------------------------- */
struct peaks {
    size_t count;   /* of times */
    int64_t *times; /* at which something begins or ends, in order */
    /* A segment tree over them: the highest end that holds for all of a node's times, and the
     * highest of any. */
    uint64_t *all, *any;
};

static int compare_times(const void *left, const void *right)
{
    int64_t x = *(const int64_t *)left, y = *(const int64_t *)right;
    return (x > y) - (x < y);
}

static struct peaks peaks_create(struct arena *arena, size_t count, const struct buffer_life *lives)
{
    struct peaks peaks = {.count = 2 * count};
    peaks.times = ARENA_ARRAY(arena, int64_t, 2 * count + 1);
    peaks.all = ARENA_ARRAY(arena, uint64_t, 8 * count + 4);
    peaks.any = ARENA_ARRAY(arena, uint64_t, 8 * count + 4);
    for (size_t i = 0; i < count; i++) {
        peaks.times[2 * i] = lives[i].first;
        peaks.times[2 * i + 1] = lives[i].last;
    }
    if (count)
        qsort(peaks.times, 2 * count, sizeof *peaks.times, compare_times);
    return peaks;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The highest end at times first .. last, in a node for the times at begin .. end - 1. */
static uint64_t peak_in(const struct peaks *p, size_t node, size_t begin, size_t end, int64_t first,
                        int64_t last)
{
    if (p->times[end - 1] < first || p->times[begin] > last)
        return 0;
    if (p->times[begin] >= first && p->times[end - 1] <= last)
        return p->any[node];
    size_t middle = begin + (end - begin) / 2;
    uint64_t inside = larger(peak_in(p, 2 * node, begin, middle, first, last),
                             peak_in(p, 2 * node + 1, middle, end, first, last));
    return larger(inside, p->all[node]);
}

static void raise_peak(struct peaks *p, size_t node, size_t begin, size_t end,
                       const struct buffer_life *life, uint64_t to)
{
    if (p->times[end - 1] < life->first || p->times[begin] > life->last)
        return;
    p->any[node] = larger(p->any[node], to);
    if (p->times[begin] >= life->first && p->times[end - 1] <= life->last) {
        p->all[node] = larger(p->all[node], to);
        return;
    }
    size_t middle = begin + (end - begin) / 2;
    raise_peak(p, 2 * node, begin, middle, life, to);
    raise_peak(p, 2 * node + 1, middle, end, life, to);
}

/* ---- gaps ------------------------------------------------------------------------------------ */
struct placed {
    size_t count;
    const struct buffer_life *at[MOST_COMPARED];
};

static bool collect(void *context, struct live_range *range)
{
    struct placed *placed = context;
    if (placed->count == MOST_COMPARED)
        return true;
    placed->at[placed->count++] = range->owner;
    return false;
}

static int compare_offsets(const void *left, const void *right)
{
    const struct buffer_life *x = *(struct buffer_life *const *)left,
                             *y = *(struct buffer_life *const *)right;
    return (*x->offset > *y->offset) - (*x->offset < *y->offset);
}

/* The smallest gap that holds `life` among ranges in the order of their offsets. */
static uint64_t find_gap(const struct placed *placed, const struct buffer_life *life,
                         uint64_t alignment)
{
    uint64_t end = 0, best = 0, best_size = UINT64_MAX;
    for (size_t i = 0; i < placed->count; i++) {
        const struct buffer_life *other = placed->at[i];
        uint64_t gap = *other->offset > end ? *other->offset - end : 0;
        if (gap >= life->bytes && gap < best_size) {
            best = end;
            best_size = gap;
        }
        end = larger(end, align(*other->offset + other->bytes, alignment));
    }
    return best_size == UINT64_MAX ? end : best;
}

static uint64_t choose_offset(const struct live_ranges *set, const struct peaks *peaks,
                              struct placed *placed, const struct buffer_life *life,
                              uint64_t alignment)
{
    placed->count = 0;
    if (live_ranges_find(set, life->first, life->last, collect, placed))
        return peak_in(peaks, 1, 0, peaks->count, life->first, life->last);
    if (placed->count)
        qsort(placed->at, placed->count, sizeof *placed->at, compare_offsets);
    return find_gap(placed, life, alignment);
}

uint64_t buffer_offsets_place(struct arena *arena, size_t count, struct buffer_life *lives,
                              uint64_t alignment)
{
    struct live_range *ranges = ARENA_ARRAY(arena, struct live_range, count + 1);
    struct placed *placed = ARENA_NEW(arena, struct placed);
    struct peaks peaks = peaks_create(arena, count, lives);
    struct live_ranges set = {0};
    uint64_t size = 0;
    if (count)
        qsort(lives, count, sizeof *lives, compare);
    for (size_t i = 0; i < count; i++) {
        *lives[i].offset = choose_offset(&set, &peaks, placed, &lives[i], alignment);
        uint64_t end = align(*lives[i].offset + lives[i].bytes, alignment);
        ranges[i] = (struct live_range){
            .first = lives[i].first, .last = lives[i].last, .serial = i, .owner = &lives[i]};
        live_ranges_insert(&set, &ranges[i]);
        raise_peak(&peaks, 1, 0, peaks.count, &lives[i], end);
        size = larger(size, end);
    }
    return size;
}
