#include "compiler/passes/spmd/solve/solve_local.h"

struct solve_local {
    struct solve_graph *graph;
    int *positions;       /* the choice that is improved */
    int64_t *load;        /* of each row */
    const double *prices; /* prefix sums of the multipliers; NULL: none */
    double *sums;
    int64_t *costs[2]; /* of the strategies of one node, and of another */
    bool changed;
};

struct solve_local *solve_local_create(struct solve_graph *graph)
{
    struct solve_local *local = ARENA_NEW(graph->arena, struct solve_local);
    size_t rows = (size_t)graph->problem->row_count + 1;
    local->graph = graph;
    local->load = ARENA_ARRAY(graph->arena, int64_t, rows);
    local->sums = ARENA_ARRAY(graph->arena, double, rows);
    for (int i = 0; i < 2; i++)
        local->costs[i] = ARENA_ARRAY(graph->arena, int64_t, SOLVE_MAX_STRATEGIES);
    return local;
}

/* ---- memory ---------------------------------------------------------------------------------- */
static int64_t above(int64_t load, int64_t room)
{
    return load > room ? load - room : 0;
}

/* Changes the load by what the node takes with strategy `to` instead of `from` (-1: nothing), and
 * returns by how many bytes the excess grows. */
static int64_t move(struct solve_local *l, int index, int from, int to)
{
    const struct graph_node *node = &l->graph->nodes[index];
    int64_t more = 0;
    for (size_t u = 0; u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        int64_t bytes = (to < 0 ? 0 : use->bytes[to]) - (from < 0 ? 0 : use->bytes[from]);
        for (int r = use->first; bytes && r <= use->last; r++) {
            more -= above(l->load[r], l->graph->room[r]);
            l->load[r] += bytes;
            more += above(l->load[r], l->graph->room[r]);
        }
    }
    return more;
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
static bool is_better(int64_t excess, int64_t cost)
{
    return excess < 0 || (excess == 0 && cost < 0);
}

static void visit_node(struct solve_local *l, int index)
{
    int from = l->positions[index], best = from;
    int64_t excess = 0, cost = 0;
    cost_strategies(l, index, -1, l->costs[0]);
    for (int s = 0; s < l->graph->nodes[index].count; s++) {
        int64_t more = l->costs[0][s] - l->costs[0][from];
        if (s == from || l->costs[0][s] >= SOLVE_FORBIDDEN)
            continue;
        int64_t bytes = move(l, index, from, s);
        move(l, index, s, from);
        if (bytes < excess || (bytes == excess && more < cost))
            excess = bytes, cost = more, best = s;
    }
    if (best == from)
        return;
    move(l, index, from, best);
    l->positions[index] = best;
    l->changed = true;
}

/* Takes strategies s and t of two nodes if that is better. */
static bool try_pair(struct solve_local *l, int a, int b, int s, int t, int64_t more)
{
    int from_a = l->positions[a], from_b = l->positions[b];
    int64_t bytes = move(l, a, from_a, s);
    bytes += move(l, b, from_b, t);
    if (is_better(bytes, more)) {
        l->positions[a] = s, l->positions[b] = t;
        l->changed = true;
        return true;
    }
    move(l, b, t, from_b);
    move(l, a, s, from_a);
    return false;
}

/* The cheapest pair first: only those that cost less are tried for memory. */
static void visit_edge(struct solve_local *l, const struct graph_edge *edge)
{
    int a = edge->a, b = edge->b, width = l->graph->nodes[b].count;
    cost_strategies(l, a, b, l->costs[0]);
    cost_strategies(l, b, a, l->costs[1]);
    int64_t now = solve_add(l->costs[0][l->positions[a]], l->costs[1][l->positions[b]]);
    now = solve_add(now, edge->costs[(int64_t)l->positions[a] * width + l->positions[b]]);
    for (int s = 0; s < l->graph->nodes[a].count; s++)
        for (int t = 0; t < width; t++) {
            int64_t cost = solve_add(l->costs[0][s], l->costs[1][t]);
            cost = solve_add(cost, edge->costs[(int64_t)s * width + t]);
            if (cost < now && try_pair(l, a, b, s, t, cost - now))
                now = cost;
        }
}

/* ---- the whole ------------------------------------------------------------------------------- */
static int64_t load_rows(struct solve_local *l)
{
    int64_t excess = 0;
    for (int r = 0; r < l->graph->problem->row_count; r++)
        l->load[r] = 0;
    for (int i = 0; l->graph->room && i < l->graph->problem->node_count; i++)
        if (l->graph->nodes[i].count)
            move(l, i, -1, l->positions[i]);
    for (int r = 0; l->graph->room && r < l->graph->problem->row_count; r++)
        excess += above(l->load[r], l->graph->room[r]);
    return excess;
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
    for (int r = 0; multipliers && r < l->graph->problem->row_count; r++)
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
    return (struct solve_value){load_rows(l), cost_all(l)};
}
