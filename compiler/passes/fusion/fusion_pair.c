/* fusion_pair.c: see fusion_pair.h. Both bodies are inlined in front of the earlier fusion, and a
 * fusion is made of them. */
#include "compiler/passes/fusion/fusion_pair.h"

#include "compiler/schedule/cost.h"
#include "compiler/ir/equal.h"
#include "compiler/passes/rewrite/fusion_make.h"
#include "compiler/schedule/access.h"

enum { REGION_OPERATIONS = 64 }; /* of operations that are compared */

/* ---- what a fusion does ---------------------------------------------------------------------- */
static bool is_plain(const struct op *op, enum fusion_kind kind)
{
    switch (op->code) {
    case OP_reshape: return access_keeps_dims(op);
    case OP_dynamic_update_slice: return kind == FUSION_UPDATE;
    case OP_constant:
    case OP_broadcast_in_dim:
    case OP_iota:
    case OP_slice:
    case OP_dynamic_slice:
    case OP_return: return true;
    default: return op_info(op->code)->traits & OP_ELEMENTWISE;
    }
}

bool fusion_pair_describe(const struct op *fusion, int most, struct fusion_body *body)
{
    const struct type *type = fusion->results[0].type;
    *body = (struct fusion_body){0};
    for (const struct op *op = fusion->regions[0]->first; op; op = op->next) {
        if (!is_plain(op, fusion->attrs.fusion.fusion_kind) || ++body->operations > most)
            return false;
        body->code += op->result_count ? cost_of_element(op) : 0;
        body->positions |= op->code == OP_iota && type->shape.rank > 1;
    }
    return true;
}

/* The operation of [from, end) that computes what `op` does, or NULL. */
static const struct op *counterpart_in(struct map *counterparts, const struct op *op,
                                       const struct op *from, const struct op *end)
{
    while (from != end && !(from->code == op->code &&
                            equal_counterparts(counterparts, op, from, REGION_OPERATIONS)))
        from = from->next;
    return from == end ? NULL : from;
}

bool fusion_pair_adds_few(struct arena *arena, const struct op *fusion, const struct op *other,
                          int most, double *code)
{
    struct map *counterparts = map_create(arena);
    struct block *body = fusion->regions[0], *in = other->regions[0];
    const struct op *next = in->first; /* mostly, both have the same order */
    *code = 0;
    for (int i = 0; i < fusion->operand_count; i++) {
        int k = ir_operand_of(other, fusion->operands[i]);
        if (k >= 0)
            map_put_pointer(counterparts, &body->arguments[i], &in->arguments[k]);
    }
    for (const struct op *op = body->first; op != body->last; op = op->next) {
        const struct op *found = counterpart_in(counterparts, op, next, NULL);
        if (!found)
            found = counterpart_in(counterparts, op, in->first, next);
        if (found)
            next = found->next;
        else if (--most < 0)
            return false;
        else
            *code += cost_of_element(op);
    }
    return true;
}

/* ---- joining --------------------------------------------------------------------------------- */
/* The results of both fusions: what they were, and what is inlined. */
struct pair {
    struct module *module;
    struct op *earlier, *later;
    struct value **old, **made;
    int count;
};

static struct error *inline_body(struct pair *p, struct op *fusion)
{
    struct value **operands =
        ARENA_ARRAY(p->module->arena, struct value *, (size_t)fusion->operand_count + 1);
    for (int i = 0; i < fusion->operand_count; i++) {
        struct value *value = fusion->operands[i];
        operands[i] = value->def == p->earlier ? p->made[value->index] : value;
    }
    TRY(ir_inline_block(p->module, fusion->regions[0], fusion->operand_count, operands, p->earlier,
                        fusion->result_count, p->made + p->count));
    for (int i = 0; i < fusion->result_count; i++)
        p->old[p->count++] = &fusion->results[i];
    return NULL;
}

static bool are_equal(struct arena *arena, const struct op *a, const struct op *b)
{
    return a->code == b->code && a->operand_count == b->operand_count &&
           (!a->operand_count || a->operands[0] == b->operands[0]) &&
           equal_hash(a) == equal_hash(b) && equal_ops(arena, a, b, REGION_OPERATIONS);
}

/* Replaces operations from `from` on that are equal to one before by that, which begin at
 * `first`. */
static void merge_equal(struct pair *p, struct op *first, struct op *from)
{
    struct op *next;
    for (struct op *op = from; op != p->earlier; op = next) {
        struct op *same = first;
        next = op->next;
        while (same != op && !are_equal(p->module->arena, same, op))
            same = same->next;
        if (same == op)
            continue;
        for (int i = 0; i < p->count; i++)
            if (p->made[i] == &op->results[0])
                p->made[i] = &same->results[0];
        ir_replace_uses(p->module, &op->results[0], &same->results[0]);
        ir_remove(op);
    }
}

static bool is_used_outside(const struct value *value, const struct op *user)
{
    for (const struct use *use = value->uses; use; use = use->next)
        if (use->user != user)
            return true;
    return false;
}

/* Leaves out results of the earlier fusion that only the later one uses. */
static void leave_out_inner(struct pair *p)
{
    int kept = 0;
    for (int i = 0; i < p->count; i++)
        if (p->old[i]->def == p->later || is_used_outside(p->old[i], p->later)) {
            p->old[kept] = p->old[i];
            p->made[kept++] = p->made[i];
        }
    p->count = kept;
}

/* Makes a fusion of the operations from `first` to the earlier fusion, and removes them. */
static struct op *make_fusion(struct pair *p, enum fusion_kind kind, struct op *first)
{
    int count = 0;
    for (struct op *op = first; op != p->earlier; op = op->next)
        count++;
    struct op **members = ARENA_ARRAY(p->module->arena, struct op *, (size_t)count);
    count = 0;
    for (struct op *op = first; op != p->earlier; op = op->next)
        members[count++] = op;
    struct op *fusion = fusion_make(p->module, kind, p->earlier, count, members, p->count, p->made);
    while (count)
        ir_remove(members[--count]);
    return fusion;
}

static struct op *after(const struct op *op, const struct block *block)
{
    return op ? op->next : block->first;
}

static struct error *join(struct module *module, enum fusion_kind kind, struct op *earlier,
                          struct op *later)
{
    size_t most = (size_t)(earlier->result_count + later->result_count);
    struct pair p = {.module = module, .earlier = earlier, .later = later};
    const struct op *before = earlier->previous;
    p.old = ARENA_ARRAY(module->arena, struct value *, most);
    p.made = ARENA_ARRAY(module->arena, struct value *, most);
    TRY(inline_body(&p, earlier));
    const struct op *end = earlier->previous;
    TRY(inline_body(&p, later));
    merge_equal(&p, after(before, earlier->block), after(end, earlier->block));
    leave_out_inner(&p);
    struct op *fusion = make_fusion(&p, kind, after(before, earlier->block));
    fusion->location = earlier->location;
    fusion->note = earlier->note;
    for (int i = 0; i < p.count; i++)
        ir_replace_uses(module, p.old[i], &fusion->results[i]);
    ir_remove(later);
    ir_remove(earlier);
    return NULL;
}

int64_t fusion_pair_position(const struct op *op)
{
    return (intptr_t)op->note;
}

static struct error *join_in_block(struct module *module, struct block *block,
                                   enum fusion_kind kind, fusion_pair_finder *find)
{
    intptr_t position = 0;
    struct op *next;
    for (struct op *op = block->first; op; op = op->next)
        op->note = (void *)position++;
    for (struct op *op = block->first; op; op = next) {
        next = op->next;
        for (int i = 0; op_info(op->code)->traits & OP_CONTROL && i < op->region_count; i++)
            TRY(join_in_block(module, op->regions[i], kind, find));
        struct op *earlier = find(module->arena, op);
        if (earlier)
            TRY(join(module, kind, earlier, op));
    }
    return NULL;
}

struct error *fusion_pair_join_all(struct module *module, enum fusion_kind kind,
                                   fusion_pair_finder *find)
{
    for (struct func *func = module->first; func; func = func->next)
        TRY(join_in_block(module, func->body, kind, find));
    return NULL;
}
