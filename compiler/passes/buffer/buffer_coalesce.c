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

/* Whether `from` is operand `index` and no other. */
static bool is_only_operand(const struct op *op, const struct item *from, int index)
{
    for (int i = 0; i < op->operand_count; i++)
        if ((assigner_item(op->operands[i]) == from) != (i == index))
            return false;
    return true;
}

/* Whether `op` may write `to` over `from`, element by element. */
static bool overwrites(const struct op *op, const struct item *from, const struct item *to)
{
    if (op->code == OP_copy)
        return true;
    if (op->code == OP_all_reduce)
        return is_only_operand(op, from, to->value->index);
    if (op->code != OP_fusion)
        return false;
    for (int i = 0; i < op->operand_count; i++)
        if (assigner_item(op->operands[i]) == from && !buffer_in_place(op, i, to->value->index))
            return false;
    return true;
}

bool buffer_coalesce_can_overwrite(const struct item *from, const struct item *to)
{
    const struct op *op = to->value->def;
    return op && op->code != OP_while && op->code != OP_case && op->code != OP_if &&
           from->last == 2 * assigner_span(op)->start + 1 && from->def < to->def &&
           overwrites(op, from, to);
}

static bool interfere(const struct item *x, const struct item *y)
{
    if (x->last < y->def || y->last < x->def)
        return false;
    return !buffer_coalesce_can_overwrite(x, y) && !buffer_coalesce_can_overwrite(y, x);
}

static bool interferes(void *item, struct live_range *range)
{
    return interfere(item, range->owner);
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
/* Orders copies by loop depth, then by size, both decreasing. */
static int compare_copies(const void *left, const void *right)
{
    const struct copy *x = left, *y = right;
    if (x->depth != y->depth)
        return x->depth > y->depth ? -1 : 1;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
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

static void coalesce_fusion(const struct assigner *a, const struct op *op, int operand)
{
    const struct item *from = assigner_item(op->operands[operand]);
    for (int r = 0; r < op->result_count && from; r++) {
        const struct item *to = assigner_item(&op->results[r]);
        if (buffer_class_of(from)->allocation < 0 &&
            is_free_from(a, buffer_class_of(to), buffer_class_of(from)->def) &&
            buffer_coalesce_can_overwrite(from, to))
            try_coalesce(to, from);
    }
}

void buffer_coalesce_fusions(const struct assigner *a, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                buffer_coalesce_fusions(a, op->regions[i]);
        bool overwrites_operands = op->code == OP_fusion || op->code == OP_all_reduce;
        for (int i = 0; overwrites_operands && i < op->operand_count; i++)
            coalesce_fusion(a, op, i);
    }
}
