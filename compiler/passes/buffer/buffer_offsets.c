/* buffer_offsets.c: see buffer_offsets.h.
 *
 * Requests are allocated in order of decreasing size. Each goes into the smallest sufficient gap
 * between the requests allocated so far that are live at the same time. If there are more than
 * MAX_COMPARED of those, it goes above all of them: struct peaks gives the peak over a range of
 * times without visiting each request. */
#include "compiler/passes/buffer/buffer_offsets.h"

#include <stdlib.h>

#include "compiler/passes/buffer/live_ranges.h"

enum { MAX_COMPARED = 1000 };

static uint64_t align(uint64_t size, uint64_t alignment)
{
    return (size + alignment - 1) / alignment * alignment;
}

static int64_t first_of(const struct buffer_request *request)
{
    return request->intervals[0].first;
}

static int64_t last_of(const struct buffer_request *request)
{
    return request->intervals[request->interval_count - 1].last;
}

static int compare(const void *left, const void *right)
{
    const struct buffer_request *x = left, *y = right;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (first_of(x) != first_of(y))
        return first_of(x) < first_of(y) ? -1 : 1;
    return last_of(x) < last_of(y) ? -1 : last_of(x) > last_of(y);
}

void buffer_offsets_sort(size_t count, struct buffer_request *requests)
{
    if (count)
        qsort(requests, count, sizeof *requests, compare);
}

/* ---- peaks over time ------------------------------------------------------------------------- */
struct peaks {
    size_t count;   /* of times */
    int64_t *times; /* times at which a request begins or ends, sorted */
    /* A segment tree over the times: per node, the highest end that applies to all its times, and
     * the highest end at any of its times. */
    uint64_t *all, *any;
};

static int compare_times(const void *left, const void *right)
{
    int64_t x = *(const int64_t *)left, y = *(const int64_t *)right;
    return (x > y) - (x < y);
}

static struct peaks peaks_create(struct arena *arena, size_t count,
                                 const struct buffer_request *requests)
{
    size_t intervals = 0;
    for (size_t i = 0; i < count; i++)
        intervals += requests[i].interval_count;
    struct peaks peaks = {.times = ARENA_ARRAY(arena, int64_t, 2 * intervals + 1),
                          .all = ARENA_ARRAY(arena, uint64_t, 8 * intervals + 4),
                          .any = ARENA_ARRAY(arena, uint64_t, 8 * intervals + 4)};
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < requests[i].interval_count; k++) {
            peaks.times[peaks.count++] = requests[i].intervals[k].first;
            peaks.times[peaks.count++] = requests[i].intervals[k].last;
        }
    if (peaks.count)
        qsort(peaks.times, peaks.count, sizeof *peaks.times, compare_times);
    return peaks;
}

static void peaks_release(struct arena *arena, struct peaks *peaks)
{
    arena_release(arena, peaks->times, (peaks->count + 1) * sizeof *peaks->times);
    arena_release(arena, peaks->all, (4 * peaks->count + 4) * sizeof *peaks->all);
    arena_release(arena, peaks->any, (4 * peaks->count + 4) * sizeof *peaks->any);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The highest end within the interval, in the node for times [begin, end). */
static uint64_t peak_in(const struct peaks *p, size_t node, size_t begin, size_t end,
                        const struct buffer_interval *in)
{
    if (p->times[end - 1] < in->first || p->times[begin] > in->last)
        return 0;
    if (p->times[begin] >= in->first && p->times[end - 1] <= in->last)
        return p->any[node];
    size_t middle = begin + (end - begin) / 2;
    uint64_t inside =
        larger(peak_in(p, 2 * node, begin, middle, in), peak_in(p, 2 * node + 1, middle, end, in));
    return larger(inside, p->all[node]);
}

static void raise_peak(struct peaks *p, size_t node, size_t begin, size_t end,
                       const struct buffer_interval *in, uint64_t to)
{
    if (p->times[end - 1] < in->first || p->times[begin] > in->last)
        return;
    p->any[node] = larger(p->any[node], to);
    if (p->times[begin] >= in->first && p->times[end - 1] <= in->last) {
        p->all[node] = larger(p->all[node], to);
        return;
    }
    size_t middle = begin + (end - begin) / 2;
    raise_peak(p, 2 * node, begin, middle, in, to);
    raise_peak(p, 2 * node + 1, middle, end, in, to);
}

/* ---- gaps ------------------------------------------------------------------------------------ */
struct reservation { /* a range of bytes, in use during some intervals */
    uint64_t offset, end;
};

struct buffer_block {
    struct arena *arena;
    uint64_t bytes, alignment, serial;
    struct live_ranges reservations;
    size_t count, max_compared; /* ranges that are live during the intervals of a request */
    const struct reservation **at;
};

struct buffer_block *buffer_block_create(struct arena *arena, uint64_t bytes, uint64_t alignment,
                                         size_t max_compared)
{
    struct buffer_block *block = ARENA_NEW(arena, struct buffer_block);
    *block =
        (struct buffer_block){.arena = arena,
                              .bytes = bytes,
                              .alignment = alignment,
                              .max_compared = max_compared,
                              .at = ARENA_ARRAY(arena, const struct reservation *, max_compared)};
    return block;
}

void buffer_block_reserve(struct buffer_block *block, const struct buffer_request *request,
                          uint64_t offset, uint64_t bytes)
{
    struct live_range *ranges =
        ARENA_ARRAY(block->arena, struct live_range, request->interval_count);
    struct reservation *reservation = ARENA_NEW(block->arena, struct reservation);
    *reservation = (struct reservation){offset, align(offset + bytes, block->alignment)};
    for (size_t i = 0; i < request->interval_count; i++) {
        ranges[i] = (struct live_range){.first = request->intervals[i].first,
                                        .last = request->intervals[i].last,
                                        .serial = block->serial++,
                                        .owner = reservation};
        live_ranges_insert(&block->reservations, &ranges[i]);
    }
}

static bool collect(void *context, struct live_range *range)
{
    struct buffer_block *block = context;
    if (block->count == block->max_compared)
        return true;
    block->at[block->count++] = range->owner;
    return false;
}

static int compare_offsets(const void *left, const void *right)
{
    const struct reservation *x = *(struct reservation *const *)left,
                             *y = *(struct reservation *const *)right;
    return (x->offset > y->offset) - (x->offset < y->offset);
}

/* Collects the ranges that are live during the request, sorted by offset; false if there are too
 * many. */
static bool find_live(struct buffer_block *block, const struct buffer_request *request)
{
    block->count = 0;
    for (size_t i = 0; i < request->interval_count; i++)
        if (live_ranges_find(&block->reservations, request->intervals[i].first,
                             request->intervals[i].last, collect, block))
            return false;
    if (block->count)
        qsort(block->at, block->count, sizeof *block->at, compare_offsets);
    return true;
}

/* The smallest sufficient gap between live ranges; the space above all of them is used last. */
static uint64_t find_gap(const struct buffer_block *block, uint64_t bytes)
{
    uint64_t end = 0, best = 0, best_size = UINT64_MAX;
    for (size_t i = 0; i < block->count; i++) {
        const struct reservation *other = block->at[i];
        uint64_t gap = other->offset > end ? other->offset - end : 0;
        if (gap >= bytes && gap < best_size) {
            best = end;
            best_size = gap;
        }
        end = larger(end, other->end);
    }
    return best_size == UINT64_MAX ? end : best;
}

bool buffer_block_allocate(struct buffer_block *block, const struct buffer_request *request)
{
    if (request->bytes > block->bytes || !find_live(block, request))
        return false;
    uint64_t offset = find_gap(block, request->bytes);
    if (offset > block->bytes - request->bytes)
        return false;
    *request->offset = offset;
    buffer_block_reserve(block, request, offset, request->bytes);
    return true;
}

/* ---- blocks of minimal size ------------------------------------------------------------------ */
static uint64_t offset_above(const struct peaks *peaks, const struct buffer_request *request)
{
    uint64_t offset = 0;
    for (size_t i = 0; i < request->interval_count; i++)
        offset = larger(offset, peak_in(peaks, 1, 0, peaks->count, &request->intervals[i]));
    return offset;
}

uint64_t buffer_offsets_assign(struct arena *arena, size_t count,
                               const struct buffer_request *requests, uint64_t alignment)
{
    struct buffer_block *block = buffer_block_create(arena, UINT64_MAX, alignment, MAX_COMPARED);
    struct peaks peaks = peaks_create(arena, count, requests);
    uint64_t size = 0;
    for (size_t i = 0; i < count; i++) {
        const struct buffer_request *request = &requests[i];
        if (!buffer_block_allocate(block, request)) {
            *request->offset = offset_above(&peaks, request);
            buffer_block_reserve(block, request, *request->offset, request->bytes);
        }
        uint64_t end = align(*request->offset + request->bytes, alignment);
        for (size_t k = 0; k < request->interval_count; k++)
            raise_peak(&peaks, 1, 0, peaks.count, &request->intervals[k], end);
        size = larger(size, end);
    }
    peaks_release(arena, &peaks);
    return size;
}
