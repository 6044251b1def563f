/* export_ranges.c: a treap of ranges that do not overlap, in the order of their places. */
#include "compiler/export/export_ranges.h"

#include "base/map.h"

static uint64_t end_of(const struct slice *slice)
{
    return slice->offset + slice->size;
}

static bool is_before(int allocation, uint64_t offset, int other, uint64_t other_offset)
{
    return allocation != other ? allocation < other : offset < other_offset;
}

/* Splits a tree into ranges that begin before the place and all others. */
static void split(struct export_range *tree, int allocation, uint64_t offset,
                  struct export_range **before, struct export_range **after)
{
    if (!tree) {
        *before = *after = NULL;
    } else if (is_before(tree->slice.allocation, tree->slice.offset, allocation, offset)) {
        split(tree->after, allocation, offset, &tree->after, after);
        *before = tree;
    } else {
        split(tree->before, allocation, offset, before, &tree->before);
        *after = tree;
    }
}

/* All ranges of `before` are before those of `after`. */
static struct export_range *join(struct export_range *before, struct export_range *after)
{
    if (!before || !after)
        return before ? before : after;
    if (before->priority > after->priority) {
        before->after = join(before->after, after);
        return before;
    }
    after->before = join(before, after->before);
    return after;
}

static struct export_range *last_of(struct export_range *tree)
{
    while (tree && tree->after)
        tree = tree->after;
    return tree;
}

static void release(struct export_pool *pool, struct export_range *tree)
{
    if (!tree)
        return;
    tree->next = pool->unused;
    pool->unused = tree;
}

static struct export_range *take(struct export_pool *pool)
{
    struct export_range *range = pool->unused;
    if (!range)
        return ARENA_NEW(pool->arena, struct export_range);
    pool->unused = range->next;
    release(pool, range->before);
    release(pool, range->after);
    return range;
}

static struct export_range *make(struct export_ranges *ranges, int allocation, uint64_t begin,
                                 uint64_t end, int64_t number)
{
    struct export_range *range = take(ranges->pool);
    ranges->made++;
    *range = (struct export_range){
        .slice = {allocation, begin, end - begin},
        .number = number,
        .priority = map_hash(&ranges->made, sizeof ranges->made, 0),
    };
    return range;
}

/* Extends [*begin, *end) by the ranges of that number that it overlaps or touches. */
static void extend(const struct export_ranges *ranges, int allocation, int64_t number,
                   uint64_t *begin, uint64_t *end)
{
    const struct export_range *left = export_ranges_from(ranges, allocation, *begin - (*begin > 0));
    const struct export_range *right = export_ranges_from(ranges, allocation, *end);
    if (left && left->number == number && left->slice.allocation == allocation &&
        left->slice.offset < *begin)
        *begin = left->slice.offset;
    if (right && right->number == number && right->slice.allocation == allocation &&
        right->slice.offset <= *end)
        *end = end_of(&right->slice);
}

void export_ranges_set(struct export_ranges *ranges, const struct slice *slice, int64_t number)
{
    struct export_range *before, *replaced, *after;
    int allocation = slice->allocation;
    uint64_t begin = slice->offset, end = end_of(slice);
    if (begin == end)
        return;
    extend(ranges, allocation, number, &begin, &end);
    split(ranges->root, allocation, begin, &before, &replaced);
    split(replaced, allocation, end, &replaced, &after);
    struct export_range *left = last_of(before), *right = replaced ? last_of(replaced) : left;
    if (right && right->slice.allocation == allocation && end_of(&right->slice) > end)
        after = join(make(ranges, allocation, end, end_of(&right->slice), right->number), after);
    if (left && left->slice.allocation == allocation && end_of(&left->slice) > begin)
        left->slice.size = begin - left->slice.offset;
    before = join(before, make(ranges, allocation, begin, end, number));
    ranges->root = join(before, after);
    release(ranges->pool, replaced);
}

void export_ranges_move(struct export_ranges *to, struct export_ranges *from, int64_t number)
{
    const struct export_range *range = NULL;
    if (to->made < from->made) {
        struct export_ranges smaller = *to;
        *to = *from;
        *from = smaller;
    }
    while ((range = export_ranges_next(from, range)))
        export_ranges_set(to, &range->slice, number);
    export_ranges_clear(from);
}

void export_ranges_clear(struct export_ranges *ranges)
{
    release(ranges->pool, ranges->root);
    ranges->root = NULL;
    ranges->made = 0;
}

const struct export_range *export_ranges_from(const struct export_ranges *ranges, int allocation,
                                              uint64_t offset)
{
    const struct export_range *range = ranges->root, *found = NULL;
    while (range) {
        bool ends_behind =
            is_before(allocation, offset, range->slice.allocation, end_of(&range->slice));
        found = ends_behind ? range : found;
        range = ends_behind ? range->before : range->after;
    }
    return found;
}

const struct export_range *export_ranges_next(const struct export_ranges *ranges,
                                              const struct export_range *last)
{
    if (!last)
        return export_ranges_from(ranges, 0, 0);
    return export_ranges_from(ranges, last->slice.allocation, end_of(&last->slice));
}
