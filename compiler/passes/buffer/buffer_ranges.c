/* buffer_ranges.c: see buffer_ranges.h. */
#include "compiler/passes/buffer/buffer_ranges.h"

#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    const struct buffer_range *x = left, *y = right;
    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    if (x->slice.allocation != y->slice.allocation)
        return x->slice.allocation < y->slice.allocation ? -1 : 1;
    return (x->slice.offset > y->slice.offset) - (x->slice.offset < y->slice.offset);
}

struct lister { /* one class */
    struct assigner *a;
    struct slice slice;
    size_t begin; /* index of its first range in the plan */
};

/* A time is twice a position, plus one while operands are read. Adjacent live ranges are merged. */
static void add(struct lister *lister, int64_t first, int64_t last, const struct value *value)
{
    struct buffer_plan *plan = lister->a->plan;
    struct buffer_range *before =
        plan->ranges.count > lister->begin ? &VEC_LAST(&plan->ranges) : NULL;
    if (!before || first / 2 > before->last + 1)
        VEC_PUSH(lister->a->module->arena, &plan->ranges,
                 (struct buffer_range){lister->slice, first / 2, last / 2, value});
    else if (last / 2 > before->last)
        before->last = last / 2;
}

static bool add_item(void *context, struct live_range *range)
{
    const struct item *item = range->owner;
    add(context, range->first, range->last, item->value);
    return false;
}

/* Parameters and constants are never written. */
static bool is_listed(const struct class *class)
{
    return !class->merged_into && !class->read_only && class->bytes;
}

void buffer_ranges_list(struct assigner *a)
{
    for (size_t i = 0; i < a->classes.count; i++) {
        const struct class *class = a->classes.items[i];
        int allocation = class->allocation < 0 ? a->temp + (int)class->memory : class->allocation;
        struct lister lister = {
            a, {allocation, class->offset, class->bytes}, a->plan->ranges.count};
        if (!is_listed(class))
            continue;
        live_ranges_find(&class->ranges, INT64_MIN, INT64_MAX, add_item, &lister);
        if (class->scratch_of)
            add(&lister, class->def, class->last, NULL);
    }
    if (a->plan->ranges.count)
        qsort(a->plan->ranges.items, a->plan->ranges.count, sizeof *a->plan->ranges.items, compare);
    a->plan->position_count = a->counter;
}
