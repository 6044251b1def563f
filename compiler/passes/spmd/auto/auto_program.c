#include "compiler/passes/spmd/auto/auto_program.h"

#include <math.h>
#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/analysis/op_work.h"
#include "compiler/analysis/trip_count.h"
#include "compiler/passes/spmd/auto/auto_live.h"

struct entry { /* a relation, or several that are equal */
    const struct auto_relation *relation;
    double times; /* executions */
};

struct edge {
    int a, b;
    double *seconds; /* by strategies of a and b */
};

struct builder {
    struct arena *arena;
    const struct auto_classes *classes;
    const struct mesh *mesh;
    const struct auto_prices *prices;
    const struct auto_groups *groups;
    VEC(struct auto_strategies) nodes;
    VEC(double *) seconds; /* of each node's strategies */
    VEC(struct entry) entries;
    VEC(struct edge) edges;
    struct map *known, *pairs; /* index of entries, of edges, plus 1 */
    struct map *times;         /* double of each block */
};

/* ---- equal operations ------------------------------------------------------------------------ */
/* How often a block is executed. Loops of unknown trip count count as 8 iterations. */
static double times_of(struct builder *b, const struct block *block)
{
    enum { UNKNOWN = 8 };
    if (!block || !block->owner)
        return 1;
    double *known = map_get_pointer(b->times, block);
    if (known)
        return *known;
    int64_t trips = block->owner->code == OP_while ? trip_count_of(block->owner) : 1;
    known = ARENA_NEW(b->arena, double);
    *known = times_of(b, block->owner->block) * (double)(trips < 0 ? UNKNOWN : trips);
    map_put_pointer(b->times, block, known);
    return *known;
}

static int group_of(const struct builder *b, const struct auto_relation *relation, int member)
{
    int value = relation->members[member];
    return value < 0 ? -1 : b->groups->of[value];
}

static bool is_constant(const struct builder *b, const struct auto_relation *relation, int member)
{
    int value = relation->members[member];
    return value >= 0 && b->classes->values[value].is_constant;
}

/* The factor by which axes divide a dimension of a member; -1: none. */
static int major_factor(const struct relation *relation, int member, int dim)
{
    const struct factor_dim *at = &relation->dims[member].dims[dim];
    return at->count ? at->at[0] : -1;
}

static int rank_of(const struct relation *relation, int member)
{
    return relation->members[member] ? relation->dims[member].rank : 0;
}

static void add_entry(struct builder *b, const struct auto_relation *relation)
{
    const struct relation *r = relation->relation;
    VEC(int64_t) key = {0};
    double times = r->op ? times_of(b, r->op->block) : 1;
    VEC_PUSH(b->arena, &key, r->op ? (int64_t)r->op->code : -1);
    for (int i = 0; i < r->member_count; i++) {
        VEC_PUSH(b->arena, &key, is_constant(b, relation, i) ? -2 : group_of(b, relation, i));
        for (int d = 0; d < rank_of(r, i); d++)
            VEC_PUSH(b->arena, &key, major_factor(r, i, d));
    }
    for (int f = 0; f < r->factor_count; f++) {
        VEC_PUSH(b->arena, &key, r->factors[f].size);
        VEC_PUSH(b->arena, &key, r->factors[f].kind);
    }
    size_t size = key.count * sizeof *key.items;
    uintptr_t index = (uintptr_t)map_get(b->known, key.items, size);
    if (index) {
        b->entries.items[index - 1].times += times;
        return;
    }
    VEC_PUSH(b->arena, &b->entries, (struct entry){relation, times});
    map_put(b->known, key.items, size, (void *)b->entries.count);
}

/* ---- nodes and edges ------------------------------------------------------------------------- */
static int add_node(struct builder *b, struct auto_strategies strategies)
{
    VEC_PUSH(b->arena, &b->nodes, strategies);
    VEC_PUSH(b->arena, &b->seconds, ARENA_ARRAY(b->arena, double, (size_t)strategies.count));
    return (int)b->nodes.count - 1;
}

static double *edge_of(struct builder *b, int from, int to)
{
    int key[2] = {from, to};
    uintptr_t index = (uintptr_t)map_get(b->pairs, key, sizeof key);
    if (index)
        return b->edges.items[index - 1].seconds;
    size_t cells = (size_t)b->nodes.items[from].count * (size_t)b->nodes.items[to].count;
    double *seconds = ARENA_ARRAY(b->arena, double, cells);
    VEC_PUSH(b->arena, &b->edges, (struct edge){from, to, seconds});
    map_put(b->pairs, key, sizeof key, (void *)b->edges.count);
    return seconds;
}

struct part { /* how an operation's strategy divides one of its members */
    struct auto_placement placement;
    unsigned partial;
};

static double bytes_of(const struct auto_value *value)
{
    double bytes = value->element_bytes;
    for (int d = 0; d < value->rank; d++)
        bytes *= (double)value->sizes[d];
    return bytes;
}

/* Adds what it costs to bring the group's value to the part (or from it), for each strategy of
 * `node`, which has parts[] of them. The group may be the node itself. */
static void add_moves(struct builder *b, int node, int group, double times, bool is_read,
                      const struct part *parts)
{
    const struct auto_strategies *from = &b->nodes.items[node], *to = &b->nodes.items[group];
    double bytes = bytes_of(&b->classes->values[b->groups->at[group].value]);
    double *seconds = node == group ? b->seconds.items[node] : edge_of(b, node, group);
    for (int s = 0; s < from->count; s++)
        for (int t = 0; t < to->count; t++) {
            if (node == group && s != t)
                continue;
            double move = is_read
                              ? auto_links_seconds(&b->prices->links, bytes, &to->at[t], 0,
                                                   &parts[s].placement)
                              : auto_links_seconds(&b->prices->links, bytes, &parts[s].placement,
                                                   parts[s].partial, &to->at[t]);
            seconds[node == group ? s : s * to->count + t] += times * move;
        }
}

/* ---- operations ------------------------------------------------------------------------------ */
/* Whether partial results along the factor are combined: sums, and lookups in a divided table. */
static bool is_summed(const struct relation *r, int factor)
{
    if (r->factors[factor].kind == FACTOR_REDUCTION)
        return true;
    if (!r->op || r->op->code != OP_gather || r->factors[factor].kind != FACTOR_PERMUTED)
        return false;
    for (int d = 0; d < rank_of(r, 0); d++)
        if (major_factor(r, 0, d) == factor)
            return true;
    return false;
}

static bool is_divisible(const struct relation *r, int factor)
{
    return factor >= 0 && (r->factors[factor].kind == FACTOR_PASS || is_summed(r, factor));
}

static bool has_sums(const struct relation *r)
{
    for (int f = 0; f < r->factor_count; f++)
        if (r->factors[f].size > 1 && is_summed(r, f))
            return true;
    return false;
}

/* How a member is divided if the axes divide these factors. */
static struct part part_of(const struct builder *b, const struct relation *r, int member,
                           const struct auto_placement *factors)
{
    struct part part = {.partial = 0};
    bool is_result = member >= r->operand_count;
    memset(part.placement.dims, -1, sizeof part.placement.dims);
    for (int axis = 0; axis < b->mesh->axis_count; axis++) {
        int factor = factors->dims[axis];
        for (int d = 0; factor >= 0 && d < rank_of(r, member); d++)
            if (major_factor(r, member, d) == factor)
                part.placement.dims[axis] = (int8_t)d;
        if (is_result && factor >= 0 && is_summed(r, factor))
            part.partial |= 1u << axis;
    }
    return part;
}

static double work_seconds(const struct builder *b, const struct auto_relation *relation)
{
    const struct relation *r = relation->relation;
    double bytes = 0;
    if (r->op->code == OP_dot_general || r->op->code == OP_convolution)
        return op_work_multiply_adds(r->op) / b->prices->multiply_adds;
    for (int i = 0; i < r->operand_count && r->op->code != OP_dynamic_slice; i++)
        bytes += relation->members[i] < 0 ? 0 : bytes_of(&b->classes->values[relation->members[i]]);
    if (r->op->code == OP_dynamic_update_slice || r->op->code == OP_gather)
        bytes = 0;
    return bytes / b->prices->bytes;
}

/* factors[s]: what strategy s of the node divides. */
static void add_operation(struct builder *b, const struct entry *entry, int node,
                          const struct auto_placement *factors)
{
    const struct relation *r = entry->relation->relation;
    int count = b->nodes.items[node].count;
    struct part *parts = ARENA_ARRAY(b->arena, struct part, (size_t)count);
    double seconds = r->op ? entry->times * work_seconds(b, entry->relation) : 0;
    for (int s = 0; s < count; s++) {
        double shards = 1;
        for (int axis = 0; axis < b->mesh->axis_count; axis++)
            shards *= factors[s].dims[axis] >= 0 ? (double)b->mesh->axis_sizes[axis] : 1;
        b->seconds.items[node][s] += seconds / shards;
    }
    for (int i = 0; i < r->member_count; i++) {
        int group = group_of(b, entry->relation, i);
        if (group < 0 || !rank_of(r, i) || is_constant(b, entry->relation, i))
            continue;
        for (int s = 0; s < count; s++)
            parts[s] = part_of(b, r, i, &factors[s]);
        add_moves(b, node, group, entry->times, i < r->operand_count, parts);
    }
}

/* An operation with sums: its strategies divide factors. */
static void add_sum(struct builder *b, const struct entry *entry)
{
    const struct relation *r = entry->relation->relation;
    struct auto_divided *dims =
        ARENA_ARRAY(b->arena, struct auto_divided, (size_t)r->factor_count + 1);
    for (int f = 0; f < r->factor_count; f++)
        if (is_divisible(r, f))
            dims[f] = (struct auto_divided){r->factors[f].size, r->factors[f].size};
    struct auto_strategies strategies =
        auto_groups_strategies(b->arena, b->mesh, r->factor_count, dims);
    add_operation(b, entry, add_node(b, strategies), strategies.at);
}

/* Another one is divided as its first result is, where that can be. */
static void add_map(struct builder *b, const struct entry *entry)
{
    const struct relation *r = entry->relation->relation;
    int group =
        r->member_count > r->operand_count ? group_of(b, entry->relation, r->operand_count) : -1;
    if (group < 0)
        return;
    const struct auto_strategies *strategies = &b->nodes.items[group];
    struct auto_placement *factors =
        ARENA_ARRAY(b->arena, struct auto_placement, (size_t)strategies->count);
    for (int s = 0; s < strategies->count; s++)
        for (int axis = 0; axis < AUTO_MAX_AXES; axis++) {
            int dim = strategies->at[s].dims[axis];
            int factor = dim < 0 || dim >= rank_of(r, r->operand_count)
                             ? -1
                             : major_factor(r, r->operand_count, dim);
            factors[s].dims[axis] = (int8_t)(is_divisible(r, factor) ? factor : -1);
        }
    add_operation(b, entry, group, factors);
}

/* ---- the problem ----------------------------------------------------------------------------- */
/* What takes longer than 9 minutes counts as that, so that sums stay below SOLVE_FORBIDDEN. */
static int64_t picoseconds(double seconds)
{
    double value = seconds * 1e12;
    return value < (double)SOLVE_FORBIDDEN / 64 ? (int64_t)value : SOLVE_FORBIDDEN / 64;
}

static const int64_t *costs_of(struct arena *arena, const double *seconds, int64_t count)
{
    int64_t *costs = ARENA_ARRAY(arena, int64_t, (size_t)count);
    for (int64_t i = 0; i < count; i++)
        costs[i] = picoseconds(seconds[i]);
    return costs;
}

static void write_problem(struct builder *b, const struct auto_live *live,
                          struct solve_problem *out)
{
    struct solve_node *nodes = ARENA_ARRAY(b->arena, struct solve_node, b->nodes.count + 1);
    struct solve_edge *edges = ARENA_ARRAY(b->arena, struct solve_edge, b->edges.count + 1);
    for (size_t i = 0; i < b->nodes.count; i++) {
        int count = b->nodes.items[i].count;
        nodes[i] = (struct solve_node){.count = count,
                                       .costs = costs_of(b->arena, b->seconds.items[i], count)};
        if ((int)i < b->groups->count) {
            nodes[i].use_count = live->use_counts[i];
            nodes[i].uses = live->uses[i];
        }
    }
    for (size_t i = 0; i < b->edges.count; i++) {
        const struct edge *edge = &b->edges.items[i];
        int64_t cells =
            (int64_t)b->nodes.items[edge->a].count * (int64_t)b->nodes.items[edge->b].count;
        edges[i] = (struct solve_edge){edge->a, edge->b, costs_of(b->arena, edge->seconds, cells)};
    }
    *out = (struct solve_problem){
        (int)b->nodes.count, (int)b->edges.count, live->row_count, nodes, edges, -1};
}

void auto_program_build(struct arena *arena, const struct module *module,
                        const struct auto_classes *classes, const struct mesh *mesh,
                        const struct auto_prices *prices, struct auto_program *out)
{
    struct auto_live live;
    struct builder b = {.arena = arena,
                        .classes = classes,
                        .mesh = mesh,
                        .prices = prices,
                        .groups = &out->groups,
                        .known = map_create(arena),
                        .pairs = map_create(arena),
                        .times = map_create(arena)};
    auto_groups_find(arena, classes, mesh, &out->groups);
    auto_live_find(arena, module, classes, &out->groups, &live);
    for (int g = 0; g < out->groups.count; g++)
        add_node(&b, out->groups.at[g].strategies);
    for (int i = 0; i < classes->relation_count; i++)
        if (!classes->relations[i].relation->manual)
            add_entry(&b, &classes->relations[i]);
    for (size_t i = 0; i < b.entries.count; i++) {
        if (has_sums(b.entries.items[i].relation->relation))
            add_sum(&b, &b.entries.items[i]);
        else
            add_map(&b, &b.entries.items[i]);
    }
    write_problem(&b, &live, &out->problem);
}

struct solve_problem auto_program_weigh(struct arena *arena, const struct solve_problem *problem,
                                        double weight, int64_t limit)
{
    struct solve_problem out = *problem;
    struct solve_edge *edges =
        arena_copy(arena, problem->edges, (size_t)problem->edge_count * sizeof *edges);
    for (int i = 0; i < problem->edge_count; i++) {
        int64_t cells =
            (int64_t)problem->nodes[edges[i].a].count * problem->nodes[edges[i].b].count;
        int64_t *costs = arena_copy(arena, edges[i].costs, (size_t)cells * sizeof *costs);
        for (int64_t k = 0; k < cells; k++)
            costs[k] = (int64_t)((double)costs[k] * weight);
        edges[i].costs = costs;
    }
    out.edges = edges;
    out.limit = limit;
    return out;
}

/* ---- answers --------------------------------------------------------------------------------- */
struct auto_answer auto_program_answer(struct arena *arena, const struct auto_classes *classes,
                                       const struct auto_program *program, const int *choice)
{
    struct auto_placement *placements =
        ARENA_ARRAY(arena, struct auto_placement, (size_t)classes->value_count + 1);
    for (int i = 0; i < classes->value_count; i++) {
        int group = program->groups.of[i];
        placements[i] = program->groups.at[group].strategies.at[choice[group]];
    }
    return (struct auto_answer){.placements = placements};
}

static int strategy_of(const struct auto_strategies *strategies,
                       const struct auto_placement *placement, int axes)
{
    for (int s = 0; s < strategies->count; s++)
        if (!memcmp(strategies->at[s].dims, placement->dims, (size_t)axes))
            return s;
    return -1;
}

int64_t auto_program_peak(struct arena *arena, const struct auto_classes *classes,
                          const struct mesh *mesh, const struct auto_program *program,
                          const struct auto_answer *answer)
{
    int *choice = ARENA_ARRAY(arena, int, (size_t)program->problem.node_count + 1);
    for (int g = 0; g < program->groups.count; g++) {
        const struct auto_group *group = &program->groups.at[g];
        struct auto_placement placement = auto_answer_place(classes, mesh, answer, group->value);
        choice[g] = group->strategies.count == 1
                        ? 0
                        : strategy_of(&group->strategies, &placement, mesh->axis_count);
        if (choice[g] < 0)
            return -1;
    }
    return solve_problem_peak(arena, &program->problem, choice);
}
