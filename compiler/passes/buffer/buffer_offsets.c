/* buffer_offsets.c: see buffer_offsets.h. */
#include "compiler/passes/buffer/buffer_offsets.h"

#include <stdlib.h>
#include <string.h>

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

/* The smallest gap that holds `life` among the placed ranges that live at the same time, in
 * order of offset. */
static uint64_t find_gap(struct buffer_life *const *placed, size_t count,
                         const struct buffer_life *life, uint64_t alignment)
{
    uint64_t end = 0, best = 0, best_size = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        const struct buffer_life *other = placed[i];
        if (other->first > life->last || life->first > other->last)
            continue;
        uint64_t gap = *other->offset > end ? *other->offset - end : 0;
        if (gap >= life->bytes && gap < best_size) {
            best = end;
            best_size = gap;
        }
        uint64_t after = align(*other->offset + other->bytes, alignment);
        end = after > end ? after : end;
    }
    return best_size == UINT64_MAX ? end : best;
}

static void insert(struct buffer_life **placed, size_t count, struct buffer_life *life)
{
    size_t at = count;
    while (at > 0 && *placed[at - 1]->offset > *life->offset)
        at--;
    memmove(placed + at + 1, placed + at, (count - at) * sizeof *placed);
    placed[at] = life;
}

uint64_t buffer_offsets_place(struct arena *arena, size_t count, struct buffer_life *lives,
                              uint64_t alignment)
{
    struct buffer_life **placed = ARENA_ARRAY(arena, struct buffer_life *, count + 1);
    uint64_t size = 0;
    if (count)
        qsort(lives, count, sizeof *lives, compare);
    for (size_t i = 0; i < count; i++) {
        *lives[i].offset = find_gap(placed, i, &lives[i], alignment);
        insert(placed, i, &lives[i]);
        uint64_t end = align(*lives[i].offset + lives[i].bytes, alignment);
        size = end > size ? end : size;
    }
    return size;
}
