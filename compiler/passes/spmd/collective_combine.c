/* collective_combine.c: see collective_combine.h. Three walks over a block: levels and buckets, the
 * combined operations, and a topological order with as few moves as possible. */
#include "compiler/passes/spmd/collective_combine.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/analysis/collective.h"
#include "compiler/ir/build.h"

enum { MAX_BYTES = 4 << 20 }; /* of the operands of one combined collective */

struct bucket { /* collectives to combine */
    VEC(struct op *) members;
    int64_t bytes;
};

struct node { /* op->note of the operations of the current block */
    int level;
    bool is_placed, is_entered; /* in the new order; on the stack of place() */
};

struct combiner {
    struct module *module;
    struct arena *arena;
    struct block *block;
    struct map *buckets; /* the open bucket of each key */
    VEC(struct bucket *) all;
    int segment; /* changes at operations whose order matters */
};

/* ---- what can be combined -------------------------------------------------------------------- */
struct key {
    enum op_code code, reducer;
    enum dtype dtype;
    int level, segment;
    int64_t dimension, rows, columns;
    const int64_t *ids; /* shared (ir_share_list) */
    bool is_global, has_channel;
};

static int64_t bytes_of(const struct op *op)
{
    return type_elements(op->operands[0]->type) * dtype_bytes(op->operands[0]->type->shape.dtype);
}

static bool is_reduction(const struct op *op, enum op_code *reducer)
{
    enum collective_reducer known;
    const struct block *region = op->regions[0];
    enum dtype dtype = op->operands[0]->type->shape.dtype;
    *reducer = region->first->code;
    return collective_reducer(region, &known) && region->arguments[0].type->shape.dtype == dtype &&
           op->results[0].type->shape.dtype == dtype;
}

/* The groups of a collective that can be combined, and its key but for level and segment. */
static bool describe(const struct op *op, struct key *key, struct pairs *groups)
{
    if (op->operand_count != 1 || bytes_of(op) > MAX_BYTES / 2)
        return false;
    if (op->code == OP_all_reduce) {
        const struct attrs_all_reduce *at = &op->attrs.all_reduce;
        *groups = at->replica_groups;
        key->is_global = at->use_global_device_ids, key->has_channel = at->channel_id > 0;
        return is_reduction(op, &key->reducer);
    }
    if (op->code == OP_all_gather) {
        const struct attrs_all_gather *at = &op->attrs.all_gather;
        *groups = at->replica_groups;
        key->is_global = at->use_global_device_ids, key->has_channel = at->channel_id > 0;
        key->dimension = at->all_gather_dim;
        return true;
    }
    return false;
}

static void add_to_bucket(struct combiner *c, struct op *op, int level)
{
    struct key key;
    struct pairs groups;
    memset(&key, 0, sizeof key); /* padding is compared, too */
    if (!describe(op, &key, &groups))
        return;
    key.code = op->code, key.level = level, key.segment = c->segment;
    key.dtype = op->operands[0]->type->shape.dtype;
    key.rows = groups.rows, key.columns = groups.columns;
    key.ids = ir_share_list(c->module, groups.rows * groups.columns, groups.at);
    struct bucket *bucket = map_get(c->buckets, &key, sizeof key);
    if (!bucket || bucket->bytes + bytes_of(op) > MAX_BYTES) {
        bucket = ARENA_NEW(c->arena, struct bucket);
        *bucket = (struct bucket){0};
        map_put(c->buckets, &key, sizeof key, bucket);
        VEC_PUSH(c->arena, &c->all, bucket);
    }
    bucket->bytes += bytes_of(op);
    VEC_PUSH(c->arena, &bucket->members, op);
}

/* ---- dependences ----------------------------------------------------------------------------- */
typedef void visit_dependence(struct combiner *c, struct op *def, void *context);

/* Visits the operations of the block that compute what `op`, or an operation in its regions, reads;
 * some of them repeatedly. */
static void visit_dependences(struct combiner *c, const struct op *op, visit_dependence *visit,
                              void *context)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->def && op->operands[i]->def->block == c->block)
            visit(c, op->operands[i]->def, context);
    for (int r = 0; r < op->region_count; r++)
        for (const struct op *in = op->regions[r]->first; in; in = in->next)
            visit_dependences(c, in, visit, context);
}

static void raise_level(struct combiner *c, struct op *def, void *context)
{
    const struct node *from = def->note;
    int *level = context, after = from->level + !!(op_info(def->code)->traits & OP_COLLECTIVE);
    (void)c;
    *level = after > *level ? after : *level;
}

static bool order_matters(const struct op *op)
{
    return !ir_is_pure(op) && !(op_info(op->code)->traits & OP_COLLECTIVE);
}

static void find_buckets(struct combiner *c)
{
    for (struct op *op = c->block->first; op; op = op->next) {
        struct node *node = ARENA_NEW(c->arena, struct node);
        *node = (struct node){0};
        op->note = node;
        visit_dependences(c, op, raise_level, &node->level);
        c->segment += order_matters(op);
        add_to_bucket(c, op, node->level);
    }
}

/* ---- combining ------------------------------------------------------------------------------- */
static void add_reducer(struct combiner *c, struct op *op, enum op_code reducer)
{
    const struct type *scalar = type_scalar(c->arena, op->operands[0]->type->shape.dtype);
    struct block *body =
        ir_block(c->module, c->block->func, op, 2, (const struct type *[]){scalar, scalar});
    struct builder b = {c->module, body, NULL, op->location};
    op->regions[0] = body;
    struct value *sum = build_binary(&b, reducer, &body->arguments[0], &body->arguments[1]);
    build_return(&b, 1, &sum);
}

/* The combined operation takes the place of the last member; place() mends the order. */
static void combine(struct combiner *c, const struct bucket *bucket)
{
    int count = (int)bucket->members.count;
    struct op *const *members = bucket->members.items, *last = members[count - 1];
    struct value **operands = ARENA_ARRAY(c->arena, struct value *, (size_t)count);
    const struct type **types = ARENA_ARRAY(c->arena, const struct type *, (size_t)count);
    for (int i = 0; i < count; i++) {
        operands[i] = members[i]->operands[0];
        types[i] = members[i]->results[0].type;
    }
    struct op *op = ir_op(c->module, last->code, count, operands, count, types, last->region_count);
    op->attrs = members[0]->attrs;
    op->location = members[0]->location;
    op->note = last->note;
    if (last->region_count)
        add_reducer(c, op, last->regions[0]->first->code);
    ir_insert_before(members[count - 1], op);
    for (int i = 0; i < count; i++) {
        ir_replace_uses(c->module, &members[i]->results[0], &op->results[i]);
        ir_remove(members[i]);
    }
}

/* ---- order ----------------------------------------------------------------------------------- */
struct placing {
    VEC(struct op *) stack;
};

static void push_unplaced(struct combiner *c, struct op *def, void *context)
{
    struct placing *placing = context;
    struct node *node = def->note;
    if (!node->is_placed && !node->is_entered)
        VEC_PUSH(c->arena, &placing->stack, def);
}

/* Places what `op` depends on, then `op`: in front of `position`, which is the first operation of
 * the old order that is not placed. */
static void place(struct combiner *c, struct placing *placing, struct op *position, struct op *op)
{
    placing->stack.count = 0;
    VEC_PUSH(c->arena, &placing->stack, op);
    while (placing->stack.count) {
        struct op *top = placing->stack.items[placing->stack.count - 1];
        struct node *node = top->note;
        if (!node->is_placed && !node->is_entered) {
            node->is_entered = true;
            visit_dependences(c, top, push_unplaced, placing);
            continue;
        }
        placing->stack.count--;
        if (node->is_placed)
            continue;
        node->is_placed = true;
        if (top != position)
            ir_move_before(position, top);
    }
}

static void restore_order(struct combiner *c)
{
    struct placing placing = {0};
    for (struct op *op = c->block->first, *next; op; op = next) {
        if (!((struct node *)op->note)->is_placed)
            place(c, &placing, op, op);
        next = op->next;
    }
}

/* ---- blocks ---------------------------------------------------------------------------------- */
static void visit_block(struct module *module, struct block *block)
{
    bool found = false;
    for (struct op *op = block->first; op; op = op->next) {
        found |= op->code == OP_all_reduce || op->code == OP_all_gather;
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                visit_block(module, op->regions[r]);
    }
    if (!found)
        return;
    struct combiner c = {.module = module, .arena = module->arena, .block = block};
    c.buckets = map_create(c.arena);
    find_buckets(&c);
    bool changes = false;
    for (size_t i = 0; i < c.all.count; i++)
        if (c.all.items[i]->members.count > 1) {
            combine(&c, c.all.items[i]);
            changes = true;
        }
    if (changes)
        restore_order(&c);
}

struct error *collective_combine_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        if (func->body)
            visit_block(module, func->body);
    return NULL;
}
