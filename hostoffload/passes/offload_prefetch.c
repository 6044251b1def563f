/* offload_prefetch.c: see offload_prefetch.h. */
#include "hostoffload/passes/offload_prefetch.h"

#include "base/vec.h"
#include "compiler/analysis/memory_copy.h"
#include "compiler/passes/rewrite/rewrite.h"

enum { MAX_OPERATIONS = 64, MAX_DEPTH = 32 }; /* limits for the computation of an index */

/* ---- which slices can be prefetched ---------------------------------------------------------- */
static bool is_scalar(const struct value *value)
{
    return value->type->kind == TYPE_TENSOR && value->type->shape.rank == 0;
}

/* Whether a value of the body is computed from carried and outer scalars by pure operations
 * only. */
static bool follows(const struct value *value, const struct block *body, int depth, int *operations)
{
    const struct op *def = value->def;
    if (!def || def->block != body)
        return is_scalar(value) && (def || value->block == body || !ir_is_inside(value, body));
    if (!is_scalar(value) || def->region_count || def->result_count != 1 || !ir_is_pure(def) ||
        depth == MAX_DEPTH || ++*operations > MAX_OPERATIONS)
        return false;
    for (int i = 0; i < def->operand_count; i++)
        if (!follows(def->operands[i], body, depth + 1, operations))
            return false;
    return true;
}

/* The same for the next iteration's values of the carried scalars that a value uses, for which
 * follows() holds: that bounds the depth. */
static bool follows_next(const struct value *value, const struct block *body, int *operations)
{
    const struct op *def = value->def;
    if (def && def->block != body)
        return true;
    if (!def)
        return value->block != body ||
               follows(body->last->operands[value->index], body, 0, operations);
    for (int i = 0; i < def->operand_count; i++)
        if (!follows_next(def->operands[i], body, operations))
            return false;
    return true;
}

static bool is_invariant(const struct value *value, const struct block *body)
{
    if (!value->def && value->block == body)
        return body->last->operands[value->index] == value;
    return !ir_is_inside(value, body);
}

static bool may_prefetch(const struct op *slice, const struct block *body)
{
    int operations = 0;
    if (slice->code != OP_dynamic_slice || !memory_copy_is(slice) || !slice->results[0].uses ||
        !is_invariant(slice->operands[0], body))
        return false;
    for (int i = 1; i < slice->operand_count; i++)
        if (!follows(slice->operands[i], body, 0, &operations) ||
            !follows_next(slice->operands[i], body, &operations))
            return false;
    return true;
}

/* ---- adding a loop-carried value ------------------------------------------------------------- */
static struct value *add_argument(struct module *module, struct block *block,
                                  const struct type *type)
{
    int count = block->argument_count;
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        types[i] = block->arguments[i].type;
    types[count] = type;
    struct block *wider = ir_block(module, block->func, block->owner, count + 1, types);
    for (int i = 0; i < count; i++)
        ir_replace_uses(module, &block->arguments[i], &wider->arguments[i]);
    for (int i = 0; i <= count; i++)
        wider->arguments[i].block = block;
    block->arguments = wider->arguments;
    block->argument_count = count + 1;
    return &block->arguments[count];
}

static void add_returned(struct module *module, struct block *block, struct value *value)
{
    struct op *old = block->last;
    int count = old->operand_count;
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        values[i] = old->operands[i];
    values[count] = value;
    struct op *ret = ir_op(module, OP_return, count + 1, values, 0, NULL, 0);
    ret->location = old->location;
    ir_remove(old);
    ir_append(block, ret);
}

/* Replaces `loop` by a loop with the same regions and one more carried value, whose initial value
 * is `first`. */
static struct op *widen(struct module *module, struct op *loop, struct value *first)
{
    int count = loop->operand_count;
    struct value **values = ARENA_ARRAY(module->arena, struct value *, (size_t)count + 1);
    const struct type **types = ARENA_ARRAY(module->arena, const struct type *, (size_t)count + 1);
    for (int i = 0; i < count; i++)
        values[i] = loop->operands[i], types[i] = loop->results[i].type;
    values[count] = first, types[count] = first->type;
    struct op *wider = ir_op(module, OP_while, count + 1, values, count + 1, types, 2);
    wider->location = loop->location;
    wider->discardable = loop->discardable;
    for (int r = 0; r < 2; r++) {
        wider->regions[r] = loop->regions[r];
        wider->regions[r]->owner = wider;
    }
    for (int i = 0; i < count; i++)
        ir_replace_uses(module, &loop->results[i], &wider->results[i]);
    ir_insert_before(loop, wider);
    loop->region_count = 0;
    ir_remove(loop);
    return wider;
}

/* ---- the slices ------------------------------------------------------------------------------ */
struct cloner {
    struct module *module;
    const struct block *body;
    struct op *position; /* clones are inserted before it */
    struct map *values;  /* value of the body -> its replacement */
};

static struct value *clone(struct cloner *c, struct value *value)
{
    struct value *known = map_get_pointer(c->values, value);
    struct op *def = value->def;
    if (known || !def || def->block != c->body)
        return known ? known : value;
    for (int i = 0; i < def->operand_count; i++)
        clone(c, def->operands[i]);
    struct op *copy = ir_clone(c->module, def, c->values);
    ir_insert_before(c->position, copy);
    return map_get_pointer(c->values, value);
}

/* The slice of the first iteration, before the loop. */
static struct value *read_first(struct module *module, struct op *loop, struct op *slice)
{
    const struct block *body = loop->regions[1];
    struct cloner c = {module, body, loop, map_create(module->arena)};
    for (int i = 0; i < body->argument_count; i++)
        map_put_pointer(c.values, &body->arguments[i], loop->operands[i]);
    return clone(&c, &slice->results[0]);
}

/* The slice of the next iteration, at the beginning of the body. */
static struct value *read_next(struct module *module, struct block *body, struct op *slice)
{
    struct cloner now = {module, body, body->first, map_create(module->arena)};
    struct cloner next = {module, body, body->first, map_create(module->arena)};
    for (int i = 0; i < body->argument_count; i++) {
        struct value *returned = body->last->operands[i];
        int operations = 0;
        if (follows(returned, body, 0, &operations))
            map_put_pointer(next.values, &body->arguments[i], clone(&now, returned));
    }
    return clone(&next, &slice->results[0]);
}

static struct op *prefetch(struct module *module, struct op *loop, struct op *slice)
{
    struct block *body = loop->regions[1];
    struct value *first = read_first(module, loop, slice), *next = read_next(module, body, slice);
    add_argument(module, loop->regions[0], first->type);
    struct value *now = add_argument(module, body, first->type);
    add_returned(module, body, next);
    ir_replace_uses(module, &slice->results[0], now);
    ir_remove(slice);
    return widen(module, loop, first);
}

/* ---- the walk -------------------------------------------------------------------------------- */
static struct op *prefetch_in_loop(struct module *module, struct op *loop)
{
    VEC(struct op *) slices = {0};
    for (struct op *op = loop->regions[1]->first; op; op = op->next)
        if (may_prefetch(op, loop->regions[1]))
            VEC_PUSH(module->arena, &slices, op);
    for (size_t i = 0; i < slices.count; i++)
        loop = prefetch(module, loop, slices.items[i]);
    return loop;
}

static void prefetch_in_block(struct module *module, struct block *block)
{
    for (struct op *op = block->first; op; op = op->next) {
        if (!(op_info(op->code)->traits & OP_CONTROL))
            continue;
        for (int i = 0; i < op->region_count; i++)
            prefetch_in_block(module, op->regions[i]);
        if (op->code == OP_while)
            op = prefetch_in_loop(module, op);
    }
}

struct error *offload_prefetch_run(struct module *module, const struct target *target)
{
    (void)target;
    prefetch_in_block(module, module->entry->body);
    return NULL;
}
