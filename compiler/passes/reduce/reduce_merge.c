/* reduce_merge.c: see reduce_merge.h. */
#include "compiler/passes/reduce/reduce_merge.h"

#include <stdlib.h>

#include "base/vec.h"
#include "compiler/analysis/reducer.h"
#include "compiler/ir/build.h"
#include "compiler/ir/equal.h"

enum {
    MIN_ELEMENTS = 1 << 16, /* smaller arrays stay in the cache */
    MAX_SOURCES = 16,
    MAX_OPERANDS = 4,
    MAX_COMPARED = 64, /* candidates of the same shape compared with each candidate */
    MAX_MOVED = 64,    /* operations moved to merge one candidate */
    MAX_DEPTH = 12     /* of an expression in which large arrays are searched */
};

struct sources {
    int count;
    const struct value *at[MAX_SOURCES];
};

struct candidate {    /* op->note of every operation of the block */
    int64_t position; /* increases along the block */
    struct op *op;
    struct sources *sources; /* NULL: not a candidate */
    struct candidate *next;  /* the next candidate with the same shape and dimensions */
};

struct dependences {
    int count;
    struct op *at[MAX_MOVED];
};

static bool reduces_innermost(const struct op *reduce)
{
    int last = type_innermost(reduce->operands[0]->type);
    return last < 0 || dims_contain(reduce->attrs.dimensions.dimensions, last);
}

/* A sum of one operand in f32 or f64: narrower types would round between additions. */
static bool is_candidate(const struct op *op)
{
    if (op->code != OP_reduce || reducer_of(op) != OP_add)
        return false;
    enum dtype dtype = op->results[0].type->shape.dtype;
    return (dtype == DTYPE_F32 || dtype == DTYPE_F64) && !reduces_innermost(op) &&
           type_elements(op->operands[0]->type) >= MIN_ELEMENTS;
}

static bool may_merge(const struct op *a, const struct op *b)
{
    return type_same_shape(a->operands[0]->type, b->operands[0]->type) &&
           a->results[0].type->shape.dtype == b->results[0].type->shape.dtype && equal_attrs(a, b);
}

/* Collects the large arrays that an elementwise expression reads. */
static void find_sources(const struct value *value, int depth, struct sources *sources)
{
    const struct op *op = value->def;
    bool inner = op && depth < MAX_DEPTH && op_info(op->code)->traits & OP_ELEMENTWISE;
    if (type_elements(value->type) < MIN_ELEMENTS || (op && op->code == OP_broadcast_in_dim) ||
        sources->count == MAX_SOURCES)
        return;
    if (!inner)
        sources->at[sources->count++] = value;
    for (int i = 0; inner && i < op->operand_count; i++)
        find_sources(op->operands[i], depth + 1, sources);
}

static bool share(const struct sources *x, const struct sources *y)
{
    for (int i = 0; i < x->count; i++)
        for (int j = 0; j < y->count; j++)
            if (x->at[i] == y->at[j])
                return true;
    return false;
}

/* ---- the order of operations ----------------------------------------------------------------- */
static int64_t position(const struct op *op)
{
    return ((const struct candidate *)op->note)->position;
}

static int by_position(const void *left, const void *right)
{
    const struct op *x = *(struct op *const *)left, *y = *(struct op *const *)right;
    return (position(x) > position(y)) - (position(x) < position(y));
}

/* Adds the definition of an operand to the operations to move; false if it cannot move. */
static bool add_dependence(const struct op *first, const struct op *later, struct op *def,
                           struct dependences *needed)
{
    if (!def || def->block != later->block || position(def) < position(first))
        return true;
    if (def == first || def->region_count > 0) /* captured values are not followed */
        return false;
    for (int i = 0; i < needed->count; i++)
        if (needed->at[i] == def)
            return true;
    if (needed->count == MAX_MOVED)
        return false;
    needed->at[needed->count++] = def;
    return true;
}

/* Collects the operations after `first` on which `later` depends; false if `first` is one of them,
 * if one cannot move, or if there are more than MAX_MOVED. */
static bool find_dependences(const struct op *first, const struct op *later,
                             struct dependences *needed)
{
    const struct op *op = later;
    for (int next = 0; op; op = next < needed->count ? needed->at[next++] : NULL)
        for (int i = 0; i < op->operand_count; i++)
            if (!add_dependence(first, later, op->operands[i]->def, needed))
                return false;
    return true;
}

/* Moves the operations on which `later` depends before `first`; false, with nothing moved, if they
 * cannot move. The moved operations get a position less than that of `first`, and so of all later
 * candidates. */
static bool hoist_dependences(struct op *first, const struct op *later)
{
    struct dependences needed = {0};
    if (!find_dependences(first, later, &needed))
        return false;
    if (needed.count)
        qsort(needed.at, (size_t)needed.count, sizeof *needed.at, by_position);
    for (int i = 0; i < needed.count; i++) {
        ir_move_before(first, needed.at[i]);
        ((struct candidate *)needed.at[i]->note)->position = position(first) - 1;
    }
    return true;
}

static void build_body(struct module *module, struct op *merged, int count,
                       const struct type *scalar)
{
    const struct type *types[2 * MAX_OPERANDS];
    struct value *sums[MAX_OPERANDS];
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
    struct value *operands[2 * MAX_OPERANDS];
    const struct type *types[MAX_OPERANDS];
    struct op *first = reduces[0];
    for (int i = 0; i < count; i++) {
        operands[i] = reduces[i]->operands[0];
        operands[count + i] = reduces[i]->operands[1];
        types[i] = reduces[i]->results[0].type;
    }
    struct op *merged = ir_op(module, OP_reduce, 2 * count, operands, count, types, 1);
    merged->attrs = first->attrs;
    merged->location = first->location;
    merged->note = first->note;
    ir_insert_before(first, merged);
    build_body(module, merged, count, type_scalar(module->arena, types[0]->shape.dtype));
    for (int i = 0; i < count; i++) {
        ir_replace_uses(module, &reduces[i]->results[0], &merged->results[i]);
        ir_remove(reduces[i]);
    }
}

static void merge_from(struct module *module, struct candidate *candidate)
{
    struct op *first = candidate->op, *found[MAX_OPERANDS] = {first};
    const struct sources *sources = candidate->sources;
    int count = 1, compared = 0;
    for (candidate = candidate->next; candidate && count < MAX_OPERANDS && compared < MAX_COMPARED;
         candidate = candidate->next, compared++)
        if (candidate->op->block && may_merge(first, candidate->op) &&
            share(candidate->sources, sources) && hoist_dependences(first, candidate->op))
            found[count++] = candidate->op;
    if (count > 1)
        merge(module, count, found);
}

/* Appends a candidate to the list of candidates with its shape and dimensions. */
static void add_candidate(struct arena *arena, struct map *lists, struct candidate *candidate)
{
    const struct type *type = candidate->op->operands[0]->type;
    const struct dims *dims = &candidate->op->attrs.dimensions.dimensions;
    uint64_t hash = map_hash(type->shape.dims, (size_t)type->shape.rank * sizeof(int64_t), 0);
    hash = map_hash(dims->at, (size_t)dims->count * sizeof *dims->at, hash);
    candidate->sources = ARENA_NEW(arena, struct sources);
    find_sources(candidate->op->operands[0], 0, candidate->sources);
    struct candidate **last = map_get(lists, &hash, sizeof hash);
    if (!last) {
        last = ARENA_NEW(arena, struct candidate *);
        map_put(lists, &hash, sizeof hash, last);
    } else {
        (*last)->next = candidate;
    }
    *last = candidate;
}

/* Assigns positions to the operations of a block, collects its candidates and merges them. */
static void visit_block(struct module *module, struct block *block)
{
    VEC(struct candidate *) candidates = {0};
    struct map *lists = map_create(module->arena);
    int64_t position = 0;
    for (struct op *op = block->first; op; op = op->next) {
        struct candidate *candidate = ARENA_NEW(module->arena, struct candidate);
        *candidate = (struct candidate){.op = op, .position = position += 2};
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int i = 0; i < op->region_count; i++)
                visit_block(module, op->regions[i]);
        op->note = candidate;
        if (!is_candidate(op))
            continue;
        add_candidate(module->arena, lists, candidate);
        VEC_PUSH(module->arena, &candidates, candidate);
    }
    for (size_t i = 0; i < candidates.count; i++)
        if (candidates.items[i]->op->block) /* not merged yet */
            merge_from(module, candidates.items[i]);
}

struct error *reduce_merge_run(struct module *module, const struct target *target)
{
    (void)target;
    for (struct func *func = module->first; func; func = func->next)
        visit_block(module, func->body);
    return NULL;
}
