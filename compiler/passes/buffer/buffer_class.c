/* buffer_class.c: see buffer_class.h. */
#include "compiler/passes/buffer/buffer_class.h"

struct class *buffer_class_of(const struct item *item)
{
    struct class *class = item->class;
    for (; class->merged_into; class = class->merged_into)
        if (class->merged_into->merged_into) /* path compression */
            class->merged_into = class->merged_into->merged_into;
    return class;
}

static void swap_members(struct class *x, struct class *y)
{
    struct class old = *x;
    x->members = y->members;
    x->ranges = y->ranges;
    x->range_count = y->range_count;
    y->members = old.members;
    y->ranges = old.ranges;
    y->range_count = old.range_count;
}

/* Move the smaller list to the larger one. */
static void merge_members(struct class *into, struct class *from)
{
    if (from->range_count > into->range_count)
        swap_members(into, from);
    while (from->members) {
        struct item *item = from->members;
        from->members = item->next;
        item->next = into->members;
        into->members = item;
        for (size_t i = 0; i < item->ranges.count; i++)
            live_ranges_insert(&into->ranges, &item->ranges.items[i]);
    }
    into->range_count += from->range_count;
}

void buffer_class_merge(struct class *into, struct class *from)
{
    merge_members(into, from);
    from->merged_into = into;
    into->def = from->def < into->def ? from->def : into->def;
    into->last = from->last > into->last ? from->last : into->last;
    if (from->allocation >= 0) {
        into->allocation = from->allocation;
        into->read_only = from->read_only;
        into->offset = from->offset;
    }
}

bool buffer_class_any(const struct class *x, const struct class *y,
                      bool (*test)(void *range, struct live_range *other))
{
    const struct class *few = x->range_count < y->range_count ? x : y, *many = few == x ? y : x;
    for (struct item *item = few->members; item; item = item->next)
        for (size_t i = 0; i < item->ranges.count; i++) {
            struct live_range *range = &item->ranges.items[i];
            if (live_ranges_find(&many->ranges, range->first, range->last, test, range))
                return true;
        }
    return false;
}
