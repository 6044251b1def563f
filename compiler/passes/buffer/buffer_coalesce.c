/* buffer_coalesce.c: see buffer_coalesce.h. */
#include "compiler/passes/buffer/buffer_coalesce.h"

#include <stdlib.h>

#include "compiler/passes/buffer/buffer_in_place.h"

/* ---- classes --------------------------------------------------------------------------------- */
void buffer_coalesce_always(const struct value *first, const struct value *second)
{
    struct class *into = buffer_class_of(assigner_item(first)),
                 *from = buffer_class_of(assigner_item(second));
    if (into != from)
        buffer_class_merge(into, from);
}

/* The number of the first use of the item at `time` or later. */
static size_t first_use_from(const struct item *item, int64_t time)
{
    size_t low = 0, high = item->uses.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (item->uses.items[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Whether `op` may write result `result` over operand `operand`, element by element. A collective
 * has as many operands as results. */
static bool overwrites_operand(const struct op *op, int operand, int result)
{
    return op->code == OP_all_reduce ? operand == result : buffer_in_place(op, operand, result);
}

/* Whether `op` may write `to` over `from`, which it may read as several of its operands. */
static bool overwrites(const struct op *op, const struct item *from, const struct item *to)
{
    if (op->code == OP_copy)
        return true;
    if (op->code != OP_all_reduce && op->code != OP_fusion)
        return false;
    size_t i = first_use_from(from, 2 * assigner_span(op)->start + 1);
    for (; i < from->uses.count && from->uses.items[i].op == op; i++)
        if (!overwrites_operand(op, from->uses.items[i].operand, to->value->index))
            return false;
    return true;
}

/* Whether the value of the first range may be overwritten where this ends and the second begins. */
static bool may_follow(const struct live_range *before, const struct live_range *after)
{
    const struct item *from = before->owner, *to = after->owner;
    const struct op *op = to->value->def;
    return op && !(op_info(op->code)->traits & OP_CONTROL) && after->first == to->def &&
           before->last == 2 * assigner_span(op)->start + 1 && from->def < to->def &&
           overwrites(op, from, to);
}

bool buffer_coalesce_can_overwrite(const struct item *from, const struct item *to)
{
    return may_follow(&VEC_LAST(&from->ranges), &to->ranges.items[0]);
}

static bool interferes(void *range, struct live_range *other)
{
    return !may_follow(range, other) && !may_follow(other, range);
}

static bool can_coalesce(const struct class *into, const struct class *from)
{
    if (into->read_only || from->read_only || into->bytes != from->bytes ||
        into->memory != from->memory || (into->allocation >= 0 && from->allocation >= 0))
        return false;
    return !buffer_class_any(into, from, interferes);
}

static void try_coalesce(const struct item *first, const struct item *second)
{
    struct class *into = buffer_class_of(first), *from = buffer_class_of(second);
    if (into != from && can_coalesce(into, from))
        buffer_class_merge(into, from);
}

/* ---- copies and fusions ---------------------------------------------------------------------- */
/* Orders copies by the number of loops, then by size, both decreasing, then by the number of
 * branches. */
static int compare_copies(const void *left, const void *right)
{
    const struct copy *x = left, *y = right;
    if (x->loops != y->loops)
        return x->loops > y->loops ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->branches != y->branches)
        return x->branches < y->branches ? -1 : 1;
    return x->position < y->position ? -1 : x->position > y->position;
}

void buffer_coalesce_copies(struct assigner *a)
{
    if (a->copies.count)
        qsort(a->copies.items, a->copies.count, sizeof *a->copies.items, compare_copies);
    for (size_t i = 0; i < a->copies.count; i++) {
        const struct op *op = a->copies.items[i].op;
        try_coalesce(assigner_item(&op->results[0]), assigner_item(op->operands[0]));
    }
}

/* Whether the class may be written from `begin` on. A result that reuses the memory of a parameter
 * may not be written before the parameter's last reader has run. Results of regions may reuse the
 * memory of operands. */
static bool is_free_from(const struct assigner *a, const struct class *class, int64_t begin)
{
    if (class->allocation < 0)
        return true;
    const struct allocation *allocation = &a->plan->allocations[class->allocation];
    if (!a->entry || allocation->kind != ALLOCATION_RESULT)
        return false;
    int parameter = a->plan->result_alias[allocation->index];
    return parameter < 0 || assigner_item(&a->block->arguments[parameter])->last < begin;
}

/* The live range of an item that has ended after `time`, or NULL. */
static const struct live_range *range_until(const struct item *item, int64_t time)
{
    size_t low = 0, high = item->ranges.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (item->ranges.items[middle].last < time)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < item->ranges.count && item->ranges.items[low].last == time;
    return found ? &item->ranges.items[low] : NULL;
}

static void coalesce_result(const struct assigner *a, const struct live_range *before,
                            const struct value *result)
{
    const struct item *from = before->owner, *to = assigner_item(result);
    if (buffer_class_of(from)->allocation < 0 &&
        is_free_from(a, buffer_class_of(to), buffer_class_of(from)->def) &&
        may_follow(before, &to->ranges.items[0]))
        try_coalesce(to, from);
}

/* A collective may have thousands of results, of which only one can be an operand's; a fusion has
 * few. */
static void coalesce_operand(const struct assigner *a, const struct op *op, int operand)
{
    const struct item *from = assigner_item(op->operands[operand]);
    const struct live_range *before =
        from ? range_until(from, 2 * assigner_span(op)->start + 1) : NULL;
    if (before && op->code == OP_all_reduce)
        coalesce_result(a, before, &op->results[operand]);
    else if (before)
        for (int r = 0; r < op->result_count; r++)
            coalesce_result(a, before, &op->results[r]);
}

void buffer_coalesce_fusions(const struct assigner *a, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                buffer_coalesce_fusions(a, op->regions[i]);
        bool overwrites_operands = op->code == OP_fusion || op->code == OP_all_reduce;
        for (int i = 0; overwrites_operands && i < op->operand_count; i++)
            coalesce_operand(a, op, i);
    }
}
