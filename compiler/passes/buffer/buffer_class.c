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
    x->member_count = y->member_count;
    x->ranges = y->ranges;
    y->members = old.members;
    y->member_count = old.member_count;
    y->ranges = old.ranges;
}

/* Move the smaller list to the larger one. */
static void merge_members(struct class *into, struct class *from)
{
    if (from->member_count > into->member_count)
        swap_members(into, from);
    while (from->members) {
        struct item *item = from->members;
        from->members = item->next;
        item->next = into->members;
        into->members = item;
        live_ranges_insert(&into->ranges, &item->range);
    }
    into->member_count += from->member_count;
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
                      bool (*test)(void *item, struct live_range *other))
{
    const struct class *few = x->member_count < y->member_count ? x : y, *many = few == x ? y : x;
    for (struct item *item = few->members; item; item = item->next)
        if (live_ranges_find(&many->ranges, item->def, item->last, test, item))
            return true;
    return false;
}
