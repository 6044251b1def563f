#include "compiler/passes/spmd/propagate_graph.h"

#include <stdlib.h>

#include "base/map.h"
#include "compiler/passes/spmd/manual_axes.h"

enum { MOST_PRIORITIES = 16 }; /* rounds; later priorities take part in the last */

/* ---- shardings ------------------------------------------------------------------------------- */

static struct sharded *sharded_of(const struct value *value)
{
    return value->note;
}

/* A sharding with open dimensions for a value of that type; NULL if it is no tensor. */
static struct sharded *sharded_make(struct propagate_graph *g, const struct type *type)
{
    if (type->kind != TYPE_TENSOR)
        return NULL;
    struct sharded *made = ARENA_NEW(g->arena, struct sharded);
    made->sizes = type->shape.dims;
    made->elements = type_elements(type);
    made->tiling = tiling_replicated(g->arena, type->shape.rank);
    made->tiling->open = UINT32_MAX;
    return made;
}

static void remove_axes(struct axis_list *list, uint32_t without)
{
    int kept = 0;
    for (int i = 0; i < list->count; i++)
        if (!(without >> list->at[i] & 1))
            list->at[kept++] = list->at[i];
    list->count = (uint8_t)kept;
}

static void add_priorities(struct propagate_graph *g, struct sharded *value,
                           const struct sharding *sharding)
{
    int64_t *priorities = ARENA_ARRAY(g->arena, int64_t, (size_t)sharding->rank);
    bool any = false;
    for (int d = 0; d < sharding->rank; d++) {
        int64_t priority = sharding->dims[d].priority;
        if (priority <= 0)
            continue;
        priorities[d] = priority;
        any = true;
        VEC_PUSH(g->arena, &g->priorities, priority);
    }
    if (any)
        value->priorities = priorities;
}

/* Makes the annotation the value's initial sharding, except for the axes in `without`. A value on
 * one device is computed by all. */
static void annotate(struct propagate_graph *g, struct sharded *value,
                     const struct sharding *sharding, uint32_t without)
{
    struct arena *arena = g->arena;
    if (!value || !sharding)
        return;
    if (sharding->kind == SHARDING_MAXIMAL) {
        value->tiling = tiling_replicated(arena, value->tiling->rank);
        return;
    }
    value->tiling = spmd_mesh_tiling(arena, g->mesh, sharding, value->tiling->rank);
    if (spmd_mesh_moves(g->mesh, sharding))
        value->tiling->open = 0; /* another axis would have the other order */
    for (int d = 0; d < value->tiling->rank; d++)
        remove_axes(&value->tiling->dims[d], without);
    value->tiling->unreduced &= ~without;
    value->used = tiling_axes(value->tiling) | value->tiling->unreduced;
    value->forbidden |= spmd_mesh_axes(g->mesh, sharding, sharding->replicated);
    add_priorities(g, value, sharding);
}

/* ---- relations ------------------------------------------------------------------------------- */

static void add_member(struct propagate_graph *g, struct relation *relation, int i,
                       struct sharded *value)
{
    relation->members[i] = value;
    if (!value)
        return;
    struct related *link = ARENA_NEW(g->arena, struct related);
    *link = (struct related){relation, value->relations};
    value->relations = link;
    relation->manual |= value->manual;
}

static struct relation *add_relation(struct propagate_graph *g, int members, int operands,
                                     enum relation_kind kind, uint32_t manual)
{
    struct relation *relation = ARENA_NEW(g->arena, struct relation);
    relation->members = ARENA_ARRAY(g->arena, struct sharded *, (size_t)members);
    relation->member_count = members;
    relation->operand_count = operands;
    relation->kind = kind;
    relation->manual = manual;
    VEC_PUSH(g->arena, &g->relations, relation);
    return relation;
}

/* Relates two values whose dimensions are the same; NULL: there is nothing to relate. */
static struct relation *relate_same(struct propagate_graph *g, struct sharded *a, struct sharded *b,
                                    uint32_t manual)
{
    if (!a || !b || a == b || !a->tiling->rank)
        return NULL;
    int rank = a->tiling->rank;
    struct arena *arena = g->arena;
    struct relation *relation = add_relation(g, 2, 1, RELATION_ALIKE, manual);
    struct factor *factors = ARENA_ARRAY(arena, struct factor, (size_t)rank);
    int *indices = ARENA_ARRAY(arena, int, (size_t)rank);
    struct factor_dim *dims = ARENA_ARRAY(arena, struct factor_dim, (size_t)rank);
    struct factor_dims *both = ARENA_ARRAY(arena, struct factor_dims, 2);
    for (int d = 0; d < rank; d++) {
        factors[d] = (struct factor){a->sizes[d], FACTOR_PASS};
        indices[d] = d;
        dims[d] = (struct factor_dim){1, &indices[d]};
    }
    both[0] = both[1] = (struct factor_dims){rank, dims};
    relation->dims = both;
    relation->factors = factors;
    relation->factor_count = rank;
    add_member(g, relation, 0, a);
    add_member(g, relation, 1, b);
    return relation;
}

static enum relation_kind kind_of(const struct op *op)
{
    if (op_info(op->code)->traits & OP_ELEMENTWISE || op->code == OP_reshape ||
        op->code == OP_transpose || op->code == OP_map || op->code == OP_dynamic_update_slice)
        return RELATION_ALIKE;
    if (op->code == OP_dynamic_slice || op->code == OP_dynamic_update_slice)
        return RELATION_SLICE;
    return op->code == OP_broadcast_in_dim ? RELATION_BROADCAST : RELATION_OTHER;
}

/* True if values of the operation have a factor in common. */
static bool relates(const struct op *op, const struct sharding_rule *rule)
{
    int64_t occurrences = 0;
    for (int i = 0; i < op->operand_count; i++)
        for (int d = 0; d < rule->operands[i].rank; d++)
            occurrences += rule->operands[i].dims[d].count;
    for (int i = 0; i < op->result_count; i++)
        for (int d = 0; d < rule->results[i].rank; d++)
            occurrences += rule->results[i].dims[d].count;
    return occurrences > rule->factor_count;
}

/* A custom call's rule is the client's, if there is one for the call as it is. */
static const struct sharding_rule *rule_of(struct arena *arena, const struct op *op)
{
    const struct sharding_rule *given =
        op->code == OP_custom_call ? op->attrs.custom_call.sharding_rule : NULL;
    struct error *misfit = given ? sharding_rules_check(given, op) : NULL;
    if (given && !misfit)
        return given;
    error_free(misfit);
    return sharding_rule_of(arena, op);
}

static void relate_op(struct propagate_graph *g, const struct op *op, uint32_t manual)
{
    const struct sharding_rule *rule = rule_of(g->arena, op);
    if (!rule || !relates(op, rule))
        return;
    int count = op->operand_count + op->result_count;
    struct factor_dims *dims = ARENA_ARRAY(g->arena, struct factor_dims, (size_t)count);
    struct relation *relation = add_relation(g, count, op->operand_count, kind_of(op), manual);
    for (int i = 0; i < op->operand_count; i++) {
        dims[i] = rule->operands[i];
        add_member(g, relation, i, sharded_of(op->operands[i]));
    }
    for (int i = 0; i < op->result_count; i++) {
        dims[op->operand_count + i] = rule->results[i];
        add_member(g, relation, op->operand_count + i, sharded_of(&op->results[i]));
    }
    relation->op = op;
    relation->dims = dims;
    relation->factors = rule->factors;
    relation->factor_count = rule->factor_count;
}

/* ---- the walk over operations ---------------------------------------------------------------- */

static void walk(struct propagate_graph *g, struct block *block, uint32_t manual);

static void new_value(struct propagate_graph *g, struct value *value, uint32_t manual)
{
    struct sharded *made = sharded_make(g, value->type);
    value->note = made;
    if (made)
        made->manual = manual;
    annotate(g, made, value->type->sharding, 0);
}

/* The operand, the arguments of both regions and the result of a loop's value are sharded alike,
 * but what comes in and what the body returns may be resharded. */
static void walk_while(struct propagate_graph *g, struct op *op, uint32_t manual)
{
    for (int i = 0; i < op->operand_count; i++) {
        op->regions[0]->arguments[i].note = op->regions[1]->arguments[i].note = op->results[i].note;
    }
    for (int r = 0; r < op->region_count; r++)
        walk(g, op->regions[r], manual);
    const struct op *ret = op->regions[1]->last;
    for (int i = 0; i < ret->operand_count; i++) {
        relate_same(g, sharded_of(op->operands[i]), sharded_of(&op->results[i]), manual);
        relate_same(g, sharded_of(ret->operands[i]), sharded_of(&op->results[i]), manual);
    }
}

/* The values that branches return are related to the results. */
static void walk_branches(struct propagate_graph *g, struct op *op, uint32_t manual)
{
    for (int r = 0; r < op->region_count; r++) {
        walk(g, op->regions[r], manual);
        const struct op *ret = op->regions[r]->last;
        for (int i = 0; i < ret->operand_count; i++) {
            struct sharded *result = sharded_of(&op->results[i]),
                           *returned = sharded_of(ret->operands[i]);
            if (result && returned)
                result->manual |= returned->manual;
            relate_same(g, returned, result, manual);
        }
    }
}

/* The shardings of the members of a group are one. */
static void join_group(struct propagate_graph *g, struct op *op)
{
    int64_t number = op->attrs.sharding_group.group;
    struct sharded *first = map_get(g->groups, &number, sizeof number),
                   *own = sharded_of(&op->results[0]);
    if (!own)
        return;
    if (first && first->tiling->rank == own->tiling->rank) {
        first->manual |= own->manual;
        op->results[0].note = first;
    } else if (!first)
        map_put(g->groups, &number, sizeof number, own);
}

/* The manual axes of a value in a manual computation are those of its operands; constants have
 * none. */
static uint32_t manual_of(const struct op *op, uint32_t context)
{
    for (int i = 0; i < op->operand_count; i++)
        if (op->operands[i]->type->kind == TYPE_TENSOR && sharded_of(op->operands[i]))
            context |= sharded_of(op->operands[i])->manual;
    return context;
}

/* True for operations whose partial results are completed by a sum. */
static bool sums(const struct op *op)
{
    return op->code == OP_dot_general || op->code == OP_dot || op->code == OP_convolution ||
           ((op->code == OP_reduce || op->code == OP_scatter) &&
            sharding_rules_is_combiner(op, 0) && op->regions[0]->first->code == OP_add);
}

/* Keeps the first error. */
static void refuse_manual(struct propagate_graph *g, const struct op *op,
                          const struct sharding *sharding, uint32_t manual)
{
    if (!g->error)
        g->error = manual_axes_check(g->arena, g->mesh, op, sharding, manual);
}

/* The axes along which a constraint leaves its operand unreduced: then a sum, which the constraint
 * alone uses, is not completed along them. */
static void walk_constraint(struct propagate_graph *g, struct op *op, uint32_t manual)
{
    struct sharded *operand = sharded_of(op->operands[0]), *result = sharded_of(&op->results[0]);
    refuse_manual(g, op, op->attrs.sharding.sharding, manual);
    annotate(g, result, op->attrs.sharding.sharding, 0);
    relate_same(g, operand, result, manual);
    if (!result->tiling->unreduced || !op->operands[0]->def || !ir_has_one_use(op->operands[0]) ||
        !sums(op->operands[0]->def))
        return;
    operand->tiling->unreduced |= result->tiling->unreduced;
    operand->used |= result->tiling->unreduced;
    VEC_PUSH(g->arena, &g->partial, op->operands[0]->def);
}

/* The border of a manual computation: dimensions are related but for their manual axes. */
static void walk_border(struct propagate_graph *g, struct op *op, uint32_t manual)
{
    struct sharded *result = sharded_of(&op->results[0]);
    uint32_t axes = spmd_mesh_manual_axes(g->mesh, op->attrs.manual.sharding);
    bool enters = op->code == OP_full_to_shard;
    result->manual = enters ? manual | axes : manual & ~axes;
    refuse_manual(g, op, op->attrs.manual.sharding, enters ? manual : manual & ~axes);
    annotate(g, result, op->attrs.manual.sharding, enters ? axes : 0);
    relate_same(g, sharded_of(op->operands[0]), result, manual | axes);
}

/* Relates each operand with the result of the same number. */
static void relate_each(struct propagate_graph *g, const struct op *op, uint32_t manual)
{
    for (int i = 0; i < op->result_count; i++)
        relate_same(g, sharded_of(op->operands[i]), sharded_of(&op->results[i]), manual);
}

static void walk_op(struct propagate_graph *g, struct op *op, uint32_t context)
{
    uint32_t manual = manual_of(op, context);
    bool border = op->code == OP_full_to_shard || op->code == OP_shard_to_full;
    for (int i = 0; i < op->result_count; i++) {
        refuse_manual(g, op, op->results[i].type->sharding, manual);
        new_value(g, &op->results[i], manual);
    }
    if (border)
        walk_border(g, op, manual);
    else if (op->code == OP_sharding_constraint)
        walk_constraint(g, op, manual);
    else if (op->code == OP_while)
        walk_while(g, op, manual);
    else if (op_info(op->code)->traits & OP_CONTROL)
        walk_branches(g, op, manual);
    else if (op->code == OP_sharding_group)
        join_group(g, op);
    else
        relate_op(g, op, manual);
    if (op->code == OP_sharding_group || op->code == OP_optimization_barrier)
        relate_each(g, op, manual);
}

static void walk(struct propagate_graph *g, struct block *block, uint32_t manual)
{
    for (struct op *op = block->first; op; op = op->next)
        walk_op(g, op, manual);
}

/* ---- the entry function ---------------------------------------------------------------------- */

static void add_arguments(struct propagate_graph *g, const struct func *func)
{
    for (int i = 0; i < func->body->argument_count; i++)
        new_value(g, &func->body->arguments[i], 0);
}

static void add_results(struct propagate_graph *g, const struct func *func)
{
    const struct op *ret = func->body->last;
    g->results = ARENA_ARRAY(g->arena, struct sharded *, (size_t)func->result_count);
    for (int i = 0; i < func->result_count; i++) {
        g->results[i] = sharded_make(g, ret->operands[i]->type);
        annotate(g, g->results[i], func->result_types[i]->sharding, 0);
        struct relation *relation = relate_same(g, sharded_of(ret->operands[i]), g->results[i], 0);
        if (relation)
            relation->is_boundary = true;
    }
}

/* ---- priorities ------------------------------------------------------------------------------ */

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the priorities and keeps each once. */
static void sort_priorities(struct propagate_graph *g)
{
    size_t kept = 1;
    VEC_PUSH(g->arena, &g->priorities, 0);
    qsort(g->priorities.items, g->priorities.count, sizeof *g->priorities.items, compare_numbers);
    for (size_t i = 1; i < g->priorities.count; i++)
        if (g->priorities.items[i] != g->priorities.items[kept - 1])
            g->priorities.items[kept++] = g->priorities.items[i];
    int64_t last = g->priorities.items[kept - 1];
    g->priorities.count = kept < MOST_PRIORITIES ? kept : MOST_PRIORITIES;
    VEC_LAST(&g->priorities) = last;
}

struct error *propagate_graph_build(struct arena *arena, struct module *module,
                                    const struct spmd_mesh *mesh, struct propagate_graph *out)
{
    const struct func *func = module->entry;
    *out = (struct propagate_graph){
        .module = module, .arena = arena, .mesh = mesh, .groups = map_create(arena)};
    add_arguments(out, func);
    walk(out, func->body, 0);
    add_results(out, func);
    sort_priorities(out);
    return out->error;
}
