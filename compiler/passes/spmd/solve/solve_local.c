#include "compiler/passes/spmd/solve/solve_local.h"

#include "compiler/passes/spmd/solve/solve_room.h"

struct solve_local {
    struct solve_graph *graph;
    int *positions; /* the choice that is improved */
    struct solve_room *room;
    const double *prices; /* prefix sums of the multipliers; NULL: none */
    double *sums;
    int64_t *costs[2]; /* of the strategies of one node, and of another */
    bool changed;
};

struct solve_local *solve_local_create(struct solve_graph *graph)
{
    struct solve_local *local = ARENA_NEW(graph->arena, struct solve_local);
    local->graph = graph;
    local->room = solve_room_create(graph->arena, graph->row_count);
    local->sums = ARENA_ARRAY(graph->arena, double, (size_t)graph->row_count + 1);
    for (int i = 0; i < 2; i++)
        local->costs[i] = ARENA_ARRAY(graph->arena, int64_t, SOLVE_MAX_STRATEGIES);
    return local;
}

/* ---- memory ---------------------------------------------------------------------------------- */
/* By how many bytes the excess grows if a node takes strategy `to` instead of `from`. */
static int64_t growth(const struct solve_local *l, int index, int from, int to)
{
    const struct graph_node *node = &l->graph->nodes[index];
    int64_t more = 0;
    for (size_t u = 0; from != to && u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        more +=
            solve_room_growth(l->room, use->first, use->last, use->bytes[to] - use->bytes[from]);
    }
    return more;
}

static void move(struct solve_local *l, int index, int to)
{
    const struct graph_node *node = &l->graph->nodes[index];
    int from = l->positions[index];
    for (size_t u = 0; from != to && u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        solve_room_take(l->room, use->first, use->last, use->bytes[to] - use->bytes[from]);
    }
    l->positions[index] = to;
}

/* ---- costs ----------------------------------------------------------------------------------- */
static int64_t priced(const struct solve_local *l, const struct graph_node *node, int s)
{
    double price = 0;
    for (size_t u = 0; l->prices && u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        price += (double)use->bytes[s] * (l->prices[use->last + 1] - l->prices[use->first]);
    }
    return price < (double)SOLVE_FORBIDDEN ? solve_add(node->costs[s], (int64_t)price)
                                           : SOLVE_FORBIDDEN;
}

/* What each strategy of a node costs with its neighbors as they are, but for one (-1: none). */
static void cost_strategies(const struct solve_local *l, int index, int but, int64_t *costs)
{
    struct graph_node *node = &l->graph->nodes[index];
    int edges = solve_graph_edges(l->graph, index, 0, NULL);
    for (int s = 0; s < node->count; s++)
        costs[s] = priced(l, node, s);
    for (int i = 0; i < edges; i++) {
        const struct graph_edge *edge = &l->graph->edges.items[node->edges.items[i]];
        int other = solve_graph_other(edge, index);
        for (int s = 0; other != but && s < node->count; s++)
            costs[s] =
                solve_add(costs[s], *solve_graph_at(l->graph, edge, index, s, l->positions[other]));
    }
}

/* ---- changes --------------------------------------------------------------------------------- */
static void visit_node(struct solve_local *l, int index)
{
    int from = l->positions[index], best = from;
    int64_t excess = 0, cost = 0;
    cost_strategies(l, index, -1, l->costs[0]);
    for (int s = 0; s < l->graph->nodes[index].count; s++) {
        int64_t more = l->costs[0][s] - l->costs[0][from];
        if (s == from || l->costs[0][s] >= SOLVE_FORBIDDEN)
            continue;
        int64_t bytes = growth(l, index, from, s);
        if (bytes < excess || (bytes == excess && more < cost))
            excess = bytes, cost = more, best = s;
    }
    l->changed |= best != from;
    move(l, index, best);
}

static int64_t pair_cost(const struct solve_local *l, const struct graph_edge *edge, int s, int t)
{
    int width = l->graph->nodes[edge->b].count;
    return solve_add(solve_add(l->costs[0][s], l->costs[1][t]),
                     edge->costs[(int64_t)s * width + t]);
}

/* Takes the first strategies of both nodes that cost less than `now` and have no more excess. */
static bool visit_pairs(struct solve_local *l, const struct graph_edge *edge, int64_t now)
{
    int a = edge->a, b = edge->b, from_a = l->positions[a], from_b = l->positions[b];
    for (int s = 0; s < l->graph->nodes[a].count; s++) {
        int64_t more = INT64_MAX; /* excess with strategy s, when it is needed */
        for (int t = 0; t < l->graph->nodes[b].count; t++) {
            if (pair_cost(l, edge, s, t) >= now)
                continue;
            if (more == INT64_MAX) {
                more = growth(l, a, from_a, s);
                move(l, a, s);
            }
            if (more + growth(l, b, from_b, t) <= 0) {
                move(l, b, t);
                return true;
            }
        }
        move(l, a, from_a);
    }
    return false;
}

static void visit_edge(struct solve_local *l, const struct graph_edge *edge)
{
    int a = edge->a, b = edge->b;
    cost_strategies(l, a, b, l->costs[0]);
    cost_strategies(l, b, a, l->costs[1]);
    while (visit_pairs(l, edge, pair_cost(l, edge, l->positions[a], l->positions[b])))
        l->changed = true;
}

/* ---- the whole ------------------------------------------------------------------------------- */
static void load_rows(struct solve_local *l)
{
    const struct solve_graph *graph = l->graph;
    if (!graph->room)
        return;
    solve_room_set(l->room, graph->room);
    for (int i = 0; i < graph->problem->node_count; i++)
        for (size_t u = 0; graph->nodes[i].count && u < graph->nodes[i].uses.count; u++) {
            const struct graph_use *use = &graph->nodes[i].uses.items[u];
            solve_room_take(l->room, use->first, use->last, use->bytes[l->positions[i]]);
        }
}

static int64_t cost_all(const struct solve_local *l)
{
    const struct solve_graph *graph = l->graph;
    int64_t cost = graph->cost;
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            cost = solve_add(cost, graph->nodes[i].costs[l->positions[i]]);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct graph_edge *edge = &graph->edges.items[i];
        if (!edge->is_gone)
            cost = solve_add(cost, *solve_graph_at(graph, edge, edge->a, l->positions[edge->a],
                                                   l->positions[edge->b]));
    }
    return cost;
}

static void set_prices(struct solve_local *l, const double *multipliers)
{
    l->prices = multipliers ? l->sums : NULL;
    for (int r = 0; multipliers && r < l->graph->row_count; r++)
        l->sums[r + 1] = l->sums[r] + multipliers[r];
}

struct solve_value solve_local_improve(struct solve_local *l, int *positions,
                                       const double *multipliers, int rounds)
{
    l->positions = positions;
    l->changed = true;
    set_prices(l, multipliers);
    load_rows(l);
    for (int round = 0; l->changed && round < rounds; round++) {
        l->changed = false;
        for (int i = 0; i < l->graph->problem->node_count; i++)
            if (l->graph->nodes[i].count)
                visit_node(l, i);
        for (size_t i = 0; i < l->graph->edges.count; i++)
            if (!l->graph->edges.items[i].is_gone)
                visit_edge(l, &l->graph->edges.items[i]);
    }
    return (struct solve_value){l->graph->room ? solve_room_excess(l->room) : 0, cost_all(l)};
}
