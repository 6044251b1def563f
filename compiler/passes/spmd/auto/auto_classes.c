#include "compiler/passes/spmd/auto/auto_classes.h"

#include <stdlib.h>

#include "base/gcd.h"
#include "base/map.h"
#include "compiler/analysis/result_donors.h"
#include "compiler/passes/spmd/propagate_graph.h"

struct node { /* a dimension of a value */
    int parent;
    int64_t size, unit;
    double work, bytes;
    bool is_moved;
    uint64_t signature; /* of the arguments that have it; 0: none has */
};

struct finder {
    struct module *module;
    struct arena *arena;
    struct propagate_graph graph;
    struct map *indices; /* struct sharded -> index of values, plus 1 */
    VEC(struct auto_value) values;
    VEC(int) first; /* node of each value's first dimension */
    VEC(struct node) nodes;
    VEC(int) slots;
    int64_t operations;
};

/* ---- values ---------------------------------------------------------------------------------- */
/* Whether a client's sharding leaves nothing to choose, or says more than that all is open. */
static bool is_given(const struct type *type)
{
    const struct sharding *sharding = type->sharding;
    if (!sharding)
        return false;
    if (sharding->kind != SHARDING_TILED)
        return true;
    for (int d = 0; d < sharding->rank; d++)
        if (sharding->dims[d].is_closed || sharding->dims[d].axes.count)
            return true;
    return sharding->replicated.count + sharding->unreduced.count + sharding->manual.count > 0;
}

static int add_sharded(struct finder *f, const struct sharded *sharded)
{
    size_t index = f->values.count, rank = (size_t)sharded->tiling->rank;
    map_put_pointer(f->indices, sharded, (void *)(uintptr_t)(index + 1));
    VEC_PUSH(f->arena, &f->first, (int)f->nodes.count);
    VEC_PUSH(f->arena, &f->values,
             (struct auto_value){
                 .rank = (int)rank, .sizes = sharded->sizes, .is_fixed = sharded->manual != 0});
    for (size_t d = 0; d < rank; d++) {
        struct node node = {.parent = (int)f->nodes.count, .size = sharded->sizes[d]};
        VEC_PUSH(f->arena, &f->nodes, node);
    }
    return (int)index;
}

static int index_of(struct finder *f, const struct sharded *sharded)
{
    if (!sharded)
        return -1;
    uintptr_t known = (uintptr_t)map_get_pointer(f->indices, sharded);
    return known ? (int)known - 1 : add_sharded(f, sharded);
}

static void add_slot(struct finder *f, const struct value *value)
{
    int index = index_of(f, value->note);
    VEC_PUSH(f->arena, &f->slots, index);
    if (index < 0)
        return;
    struct auto_value *known = &f->values.items[index];
    known->element_bytes = dtype_bytes(value->type->shape.dtype);
    if (!is_given(value->type))
        return;
    known->is_fixed = true;
    known->given = value->type->sharding;
}

bool auto_classes_is_in_place(const struct op *op)
{
    unsigned traits = op_info(op->code)->traits;
    return traits & OP_ELEMENTWISE || traits & OP_INDEXED || op->code == OP_broadcast_in_dim ||
           op->code == OP_iota || op->code == OP_constant;
}

static bool is_constant(struct finder *f, const struct value *value)
{
    int index = index_of(f, value->note);
    return index >= 0 && f->values.items[index].is_constant;
}

/* Result number `i` of an operation whose operands are marked. */
static bool makes_constant(struct finder *f, const struct op *op, int i)
{
    if (op->code == OP_optimization_barrier)
        return is_constant(f, op->operands[i]);
    bool is_so = auto_classes_is_in_place(op);
    for (int k = 0; is_so && k < op->operand_count; k++)
        is_so = is_constant(f, op->operands[k]);
    return is_so;
}

static void mark_constants(struct finder *f, const struct op *op)
{
    for (int i = 0; i < op->result_count; i++) {
        int index = index_of(f, op->results[i].note);
        if (index >= 0)
            f->values.items[index].is_constant = makes_constant(f, op, i);
    }
}

static void add_slots(struct finder *f, const struct block *block)
{
    for (int i = 0; i < block->argument_count; i++)
        add_slot(f, &block->arguments[i]);
    for (const struct op *op = block->first; op; op = op->next) {
        f->operations++;
        for (int i = 0; i < op->result_count; i++)
            add_slot(f, &op->results[i]);
        mark_constants(f, op);
        if (op_info(op->code)->traits & OP_CONTROL)
            for (int r = 0; r < op->region_count; r++)
                add_slots(f, op->regions[r]);
    }
}

/* ---- classes --------------------------------------------------------------------------------- */
static int root_of(struct finder *f, int node)
{
    struct node *nodes = f->nodes.items;
    while (nodes[node].parent != node) {
        nodes[node].parent = nodes[nodes[node].parent].parent;
        node = nodes[node].parent;
    }
    return node;
}

/* The root of the two is the node that comes first in the program. */
static void unite(struct finder *f, int a, int b)
{
    a = root_of(f, a), b = root_of(f, b);
    if (a == b)
        return;
    int kept = a < b ? a : b, other = a < b ? b : a;
    struct node *to = &f->nodes.items[kept], *from = &f->nodes.items[other];
    from->parent = kept;
    to->unit = gcd_of(to->unit, from->unit);
    to->work += from->work;
    to->is_moved |= from->is_moved;
}

/* One dimension of a member of a relation, whose major factor it is sharded by. */
static void visit_dim(struct finder *f, const struct relation *relation, int node,
                      const struct factor_dim *dim, int *of_factor, double work)
{
    if (!dim->count)
        return;
    const struct factor *factor = &relation->factors[dim->at[0]];
    struct node *root = &f->nodes.items[root_of(f, node)];
    if (factor->kind == FACTOR_REPLICATED || factor->kind == FACTOR_PERMUTED)
        root->is_moved = true;
    if (factor->kind == FACTOR_REPLICATED)
        return;
    if (factor->kind != FACTOR_PERMUTED)
        root->unit = gcd_of(root->unit, factor->size);
    root->work += work;
    int *first = &of_factor[dim->at[0]];
    if (*first < 0)
        *first = node;
    else if (factor->kind != FACTOR_PERMUTED ||
             f->nodes.items[node].size == f->nodes.items[*first].size)
        unite(f, *first, node);
}

static void visit_relation(struct finder *f, const struct relation *relation)
{
    int *of_factor = ARENA_ARRAY(f->arena, int, (size_t)relation->factor_count);
    double work = 1;
    for (int i = 0; i < relation->factor_count; i++) {
        of_factor[i] = -1;
        work *= (double)(relation->factors[i].size > 0 ? relation->factors[i].size : 1);
    }
    for (int i = 0; i < relation->member_count; i++) {
        int index = index_of(f, relation->members[i]);
        if (index < 0 || relation->members[i]->manual)
            continue;
        for (int d = 0; d < f->values.items[index].rank; d++)
            visit_dim(f, relation, f->first.items[index] + d, &relation->dims[i].dims[d], of_factor,
                      work);
    }
}

/* A donated argument and the result that takes its memory. */
static void unite_donors(struct finder *f, const int *results, const int *donors)
{
    const struct func *entry = f->module->entry;
    for (int i = 0; i < entry->result_count; i++) {
        int from = donors[i] >= 0 ? f->slots.items[donors[i]] : -1, to = results[i];
        for (int d = 0; from >= 0 && to >= 0 && d < f->values.items[from].rank; d++)
            unite(f, f->first.items[from] + d, f->first.items[to] + d);
    }
}

/* ---- repeated classes ------------------------------------------------------------------------ */
struct mark { /* an argument has a class in a dimension */
    int root;
    uint64_t hash;
};

static int compare_marks(const void *a, const void *b)
{
    const struct mark *x = a, *y = b;
    if (x->root != y->root)
        return x->root < y->root ? -1 : 1;
    return x->hash < y->hash ? -1 : x->hash > y->hash;
}

static uint64_t hash_dim(const struct type *type, int dim)
{
    uint64_t hash = map_hash(type->shape.dims, (size_t)type->shape.rank * sizeof(int64_t), 1);
    int64_t rest[3] = {dim, type->shape.dtype, type->shape.rank};
    return map_hash(rest, sizeof rest, hash);
}

/* Gives each class the hash of the set of its arguments' dimensions. */
static void sign(struct finder *f)
{
    VEC(struct mark) marks = {0};
    const struct block *body = f->module->entry->body;
    for (int i = 0; i < body->argument_count; i++) {
        const struct type *type = body->arguments[i].type;
        int index = f->slots.items[i];
        for (int d = 0; index >= 0 && d < type->shape.rank; d++) {
            int root = root_of(f, f->first.items[index] + d);
            f->nodes.items[root].bytes += (double)type_bytes(type);
            VEC_PUSH(f->arena, &marks, (struct mark){root, hash_dim(type, d)});
        }
    }
    if (marks.count)
        qsort(marks.items, marks.count, sizeof *marks.items, compare_marks);
    for (size_t i = 0; i < marks.count; i++) {
        struct node *root = &f->nodes.items[marks.items[i].root];
        if (i && !compare_marks(&marks.items[i - 1], &marks.items[i]))
            continue;
        root->signature = map_hash(&marks.items[i].hash, sizeof(uint64_t), root->signature + 1);
    }
}

/* Unites classes with equal signatures; those that no argument has are distinguished
 * by size. */
static void unite_repeated(struct finder *f)
{
    struct map *seen = map_create(f->arena);
    for (int i = 0; i < (int)f->nodes.count; i++) {
        struct node *node = &f->nodes.items[i];
        if (node->parent != i || node->unit < 2)
            continue;
        int64_t key[2] = {node->unit, (int64_t)node->signature};
        uintptr_t before = (uintptr_t)map_get(seen, key, sizeof key);
        if (!before) {
            map_put(seen, key, sizeof key, (void *)(uintptr_t)(i + 1));
            continue;
        }
        f->nodes.items[before - 1].bytes += node->bytes;
        unite(f, (int)before - 1, i);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */
static int compare_roots(const void *a, const void *b, void *context)
{
    const struct node *nodes = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (nodes[i].work != nodes[j].work)
        return nodes[i].work > nodes[j].work ? -1 : 1;
    return i < j ? -1 : i > j;
}

static void number(struct finder *f, struct auto_classes *out)
{
    VEC(int) roots = {0};
    int *numbers = ARENA_ARRAY(f->arena, int, f->nodes.count + 1);
    for (int i = 0; i < (int)f->nodes.count; i++)
        if (f->nodes.items[i].parent == i && f->nodes.items[i].unit > 1)
            VEC_PUSH(f->arena, &roots, i);
    if (roots.count)
        qsort_r(roots.items, roots.count, sizeof(int), compare_roots, f->nodes.items);
    struct auto_class *classes = ARENA_ARRAY(f->arena, struct auto_class, roots.count + 1);
    for (size_t i = 0; i < roots.count; i++) {
        const struct node *root = &f->nodes.items[roots.items[i]];
        numbers[roots.items[i]] = (int)i + 1;
        classes[i] = (struct auto_class){root->unit, root->work, root->bytes, root->is_moved};
    }
    for (size_t i = 0; i < f->values.count; i++) {
        struct auto_value *value = &f->values.items[i];
        int *of = ARENA_ARRAY(f->arena, int, (size_t)value->rank + 1);
        for (int d = 0; d < value->rank; d++)
            of[d] = numbers[root_of(f, f->first.items[i] + d)] - 1;
        value->classes = of;
    }
    out->classes = classes;
    out->class_count = (int)roots.count;
}

static void list_relations(struct finder *f, struct auto_classes *out)
{
    size_t count = f->graph.relations.count;
    struct auto_relation *relations = ARENA_ARRAY(f->arena, struct auto_relation, count + 1);
    for (size_t i = 0; i < count; i++) {
        const struct relation *relation = f->graph.relations.items[i];
        int *members = ARENA_ARRAY(f->arena, int, (size_t)relation->member_count + 1);
        for (int k = 0; k < relation->member_count; k++)
            members[k] = index_of(f, relation->members[k]);
        relations[i] = (struct auto_relation){relation, members};
    }
    out->relations = relations;
    out->relation_count = (int)count;
}

struct error *auto_classes_find(struct module *module, struct auto_classes *out)
{
    struct finder f = {
        .module = module, .arena = module->arena, .indices = map_create(module->arena)};
    const struct spmd_mesh *mesh;
    TRY(spmd_mesh_create(module, &mesh));
    propagate_graph_build(module->arena, module, mesh, &f.graph);
    add_slots(&f, module->entry->body);
    int *results = ARENA_ARRAY(f.arena, int, (size_t)module->entry->result_count + 1);
    for (int i = 0; i < module->entry->result_count; i++) {
        results[i] = index_of(&f, f.graph.results[i]);
        if (results[i] >= 0)
            f.values.items[results[i]].is_fixed |= is_given(module->entry->result_types[i]);
    }
    for (size_t i = 0; i < f.graph.relations.count; i++)
        visit_relation(&f, f.graph.relations.items[i]);
    out->donors = result_donors(f.arena, module->entry);
    unite_donors(&f, results, out->donors);
    sign(&f);
    unite_repeated(&f);
    number(&f, out);
    list_relations(&f, out);
    out->values = f.values.items;
    out->value_count = (int)f.values.count;
    out->slots = f.slots.items;
    out->slot_count = (int64_t)f.slots.count;
    out->results = results;
    out->operations = f.operations;
    return NULL;
}
