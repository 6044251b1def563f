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

static struct export_range *make(struct export_ranges *ranges, struct arena *arena, int allocation,
                                 uint64_t begin, uint64_t end, int64_t number)
{
    struct export_range *range = ARENA_NEW(arena, struct export_range);
    range->slice = (struct slice){allocation, begin, end - begin};
    range->number = number;
    ranges->made++;
    range->priority = map_hash(&ranges->made, sizeof ranges->made, 0);
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

void export_ranges_set(struct export_ranges *ranges, struct arena *arena, const struct slice *slice,
                       int64_t number)
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
        after =
            join(make(ranges, arena, allocation, end, end_of(&right->slice), right->number), after);
    if (left && left->slice.allocation == allocation && end_of(&left->slice) > begin)
        left->slice.size = begin - left->slice.offset;
    before = join(before, make(ranges, arena, allocation, begin, end, number));
    ranges->root = join(before, after);
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
