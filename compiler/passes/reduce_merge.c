/* reduce_merge.c: see reduce_merge.h. */
#include "compiler/passes/reduce_merge.h"

#include "base/vec.h"
#include "compiler/ir/build.h"

enum {
    LEAST_ELEMENTS = 1 << 16, /* below, the array stays in a cache */
    MOST_SOURCES = 16,
    MOST_OPERANDS = 4,
    DEPTH = 12
};

struct sources {
    int count;
    const struct value *at[MOST_SOURCES];
};

static bool reduces_innermost(const struct op *reduce)
{
    const struct type *type = reduce->operands[0]->type;
    int last = type->shape.rank - 1;
    while (last > 0 && type->shape.dims[last] == 1)
        last--;
    return last < 0 || dims_contain(reduce->attrs.dimensions.dimensions, last);
}

/* A sum of one operand, in a type that is added without rounding in between. */
static bool is_candidate(const struct op *op)
{
    if (op->code != OP_reduce || op->operand_count != 2)
        return false;
    const struct op *add = op->regions[0]->first;
    enum dtype dtype = op->results[0].type->shape.dtype;
    return add->code == OP_add && add->next == op->regions[0]->last && !add->operands[0]->def &&
           !add->operands[1]->def && add->operands[0] != add->operands[1] &&
           (dtype == DTYPE_F32 || dtype == DTYPE_F64) && !reduces_innermost(op) &&
           type_elements(op->operands[0]->type) >= LEAST_ELEMENTS;
}

static bool may_meet(const struct op *a, const struct op *b)
{
    const struct dims *x = &a->attrs.dimensions.dimensions, *y = &b->attrs.dimensions.dimensions;
    if (!type_same_shape(a->operands[0]->type, b->operands[0]->type) || x->count != y->count ||
        a->results[0].type->shape.dtype != b->results[0].type->shape.dtype)
        return false;
    for (int64_t i = 0; i < x->count; i++)
        if (x->at[i] != y->at[i])
            return false;
    return true;
}

/* The large arrays that an elementwise expression reads. */
static void find_sources(const struct value *value, int depth, struct sources *sources)
{
    const struct op *op = value->def;
    bool inner = op && depth < DEPTH && op_info(op->code)->traits & OP_ELEMENTWISE;
    if (type_elements(value->type) < LEAST_ELEMENTS || (op && op->code == OP_broadcast_in_dim) ||
        sources->count == MOST_SOURCES)
        return;
    if (!inner)
        sources->at[sources->count++] = value;
    for (int i = 0; inner && i < op->operand_count; i++)
        find_sources(op->operands[i], depth + 1, sources);
}

static bool share(const struct op *a, const struct op *b)
{
    struct sources x = {0}, y = {0};
    find_sources(a->operands[0], 0, &x);
    find_sources(b->operands[0], 0, &y);
    for (int i = 0; i < x.count; i++)
        for (int j = 0; j < y.count; j++)
            if (x.at[i] == y.at[j])
                return true;
    return false;
}

/* Marks what `op` needs among the operations after `first`; false when it needs `first` itself. */
static bool mark_needs(const struct op *op, const struct op *first, struct map *needed,
                       struct map *before)
{
    for (int i = 0; i < op->operand_count; i++) {
        const struct op *def = op->operands[i]->def;
        if (def == first)
            return false;
        if (!def || def->block != op->block || map_get_pointer(needed, def) ||
            map_get_pointer(before, def))
            continue;
        bool after = false;
        for (const struct op *at = first->next; at && at != op && !after; at = at->next)
            after = at == def;
        map_put_pointer(after ? needed : before, def, (void *)def);
        if (after && (def->region_count > 0 || !mark_needs(def, first, needed, before)))
            return false; /* what regions capture is not followed */
    }
    return true;
}

/* Moves everything `later` needs before `first`; false, with nothing moved, when that depends on
 * `first`. */
static bool bring_before(struct arena *arena, struct op *first, struct op *later)
{
    struct map *needed = map_create(arena);
    struct op *next;
    if (!mark_needs(later, first, needed, map_create(arena)))
        return false;
    for (struct op *op = first->next; op != later; op = next) {
        next = op->next;
        if (map_get_pointer(needed, op))
            ir_move_before(first, op);
    }
    return true;
}

static void build_body(struct module *module, struct op *merged, int count,
                       const struct type *scalar)
{
    const struct type *types[2 * MOST_OPERANDS];
    struct value *sums[MOST_OPERANDS];
    for (int i = 0; i < 2 * count; i++)
        types[i] = scalar;
    struct block *body =
        ir_block(module, merged->block ? merged->block->func : NULL, merged, 2 * count, types);
    struct builder b = {module, body, NULL, merged->location};
    for (int i = 0; i < count; i++)
        sums[i] = build_binary(&b, OP_add, &body->arguments[i], &body->arguments[count + i]);
    build_return(&b, count, sums);
    merged->regions[0] = body;
}

static void merge(struct module *module, int count, struct op *const *reduces)
{
    struct value *operands[2 * MOST_OPERANDS];
    const struct type *types[MOST_OPERANDS];
    struct op *first = reduces[0];
    for (int i = 0; i < count; i++) {
        operands[i] = reduces[i]->operands[0];
        operands[count + i] = reduces[i]->operands[1];
        types[i] = reduces[i]->results[0].type;
    }
    struct op *merged = ir_op(module, OP_reduce, 2 * count, operands, count, types, 1);
    merged->attrs = first->attrs;
    merged->location = first->location;
    ir_insert_before(first, merged);
    build_body(module, merged, count, type_scalar(module->arena, types[0]->shape.dtype));
    for (int i = 0; i < count; i++) {
        ir_replace_uses(module, &reduces[i]->results[0], &merged->results[i]);
        ir_remove(reduces[i]);
    }
}

static void merge_from(struct module *module, struct op *first)
{
    struct op *found[MOST_OPERANDS] = {first};
    int count = 1;
    for (struct op *op = first->next; op && count < MOST_OPERANDS; op = op->next)
        if (is_candidate(op) && may_meet(first, op) && share(first, op) &&
            bring_before(module->arena, first, op))
            found[count++] = op;
    if (count > 1)
        merge(module, count, found);
}

static void visit_block(struct module *module, struct block *block)
{
    VEC(struct op *) candidates = {0};
    for (struct op *op = block->first; op; op = op->next) {
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                visit_block(module, op->regions[i]);
        if (is_candidate(op))
            VEC_PUSH(module->arena, &candidates, op);
    }
    for (size_t i = 0; i < candidates.count; i++)
        if (candidates.items[i]->block) /* not merged yet */
            merge_from(module, candidates.items[i]);
}

struct error *reduce_merge_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        visit_block(module, func->body);
    return NULL;
}
