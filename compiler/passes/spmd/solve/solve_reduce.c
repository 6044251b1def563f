#include "compiler/passes/spmd/solve/solve_reduce.h"

#include <string.h>

#include "compiler/passes/spmd/solve/solve_compact.h"

struct reducer {
    struct solve_graph *graph;
    VEC(int) queue; /* nodes to look at */
    bool *is_queued;
};

static void enqueue(struct reducer *r, int node)
{
    if (r->is_queued[node] || !r->graph->nodes[node].count)
        return;
    r->is_queued[node] = true;
    VEC_PUSH(r->graph->arena, &r->queue, node);
}

static void enqueue_neighbors(struct reducer *r, int node)
{
    int edges = solve_graph_edges(r->graph, node, 0, NULL);
    for (int i = 0; i < edges; i++)
        enqueue(r, solve_graph_other(&r->graph->edges.items[r->graph->nodes[node].edges.items[i]],
                                     node));
}

static struct graph_edge *edge_at(struct reducer *r, int node, int i)
{
    return &r->graph->edges.items[r->graph->nodes[node].edges.items[i]];
}

/* ---- strategies ------------------------------------------------------------------------------ */
static bool has_partners(struct reducer *r, int node, int edges, int s)
{
    for (int i = 0; i < edges; i++) {
        const struct graph_edge *edge = edge_at(r, node, i);
        const struct graph_node *other = &r->graph->nodes[solve_graph_other(edge, node)];
        bool found = false;
        for (int t = 0; t < other->count && !found; t++)
            found = *solve_graph_at(r->graph, edge, node, s, t) < SOLVE_FORBIDDEN;
        if (!found)
            return false;
    }
    return true;
}

/* Whether a row has too little room for the strategy beside nothing else. */
static bool is_too_large(const struct reducer *r, const struct graph_node *node, int s)
{
    for (size_t u = 0; u < node->uses.count; u++)
        if (node->uses.items[u].bytes[s] > r->graph->problem->limit)
            return true;
    return false;
}

/* The most by which strategy t could cost more than s along an edge, so far `least` more. */
static int64_t worst_along(const struct reducer *r, const struct graph_edge *edge, int node, int s,
                           int t)
{
    const struct graph_node *other = &r->graph->nodes[solve_graph_other(edge, node)];
    int64_t worst = INT64_MIN;
    for (int k = 0; k < other->count; k++) {
        int64_t with_s = *solve_graph_at(r->graph, edge, node, s, k);
        int64_t with_t = *solve_graph_at(r->graph, edge, node, t, k);
        if (with_s >= SOLVE_FORBIDDEN)
            continue;
        if (with_t >= SOLVE_FORBIDDEN)
            return SOLVE_FORBIDDEN;
        worst = with_t - with_s > worst ? with_t - with_s : worst;
    }
    return worst;
}

/* Whether t is never worse than s. */
static bool is_dominated(struct reducer *r, int index, int edges, int s, int t)
{
    const struct graph_node *node = &r->graph->nodes[index];
    int64_t more = node->costs[t] - node->costs[s];
    for (size_t u = 0; u < node->uses.count; u++)
        if (node->uses.items[u].bytes[t] > node->uses.items[u].bytes[s])
            return false;
    for (int i = 0; i < edges; i++) {
        int64_t worst = worst_along(r, edge_at(r, index, i), index, s, t);
        if (worst >= SOLVE_FORBIDDEN)
            return false;
        more += worst;
    }
    return more <= 0;
}

static void mark_dominated(struct reducer *r, int index, int edges, bool *kept)
{
    int count = r->graph->nodes[index].count;
    for (int s = 0; s < count; s++)
        for (int t = 0; t < count && kept[s]; t++)
            if (t != s && kept[t] && is_dominated(r, index, edges, s, t))
                kept[s] = false;
}

static bool drop_strategies(struct reducer *r, int index)
{
    const struct graph_node *node = &r->graph->nodes[index];
    bool kept[SOLVE_MAX_STRATEGIES];
    int edges = solve_graph_edges(r->graph, index, 0, NULL), count = 0;
    for (int s = 0; s < node->count; s++)
        count += kept[s] = node->costs[s] < SOLVE_FORBIDDEN && !is_too_large(r, node, s) &&
                           has_partners(r, index, edges, s);
    if (!count) {
        r->graph->is_infeasible = true;
        return false;
    }
    mark_dominated(r, index, edges, kept);
    count = 0;
    for (int s = 0; s < node->count; s++)
        count += kept[s];
    if (count == node->count)
        return false;
    solve_graph_keep(r->graph, index, kept);
    enqueue_neighbors(r, index);
    return true;
}

/* ---- edges ----------------------------------------------------------------------------------- */
/* Whether cost(s, t) is cost(s, 0) + cost(0, t) - cost(0, 0) throughout. */
static bool is_separable(const struct solve_graph *graph, const struct graph_edge *edge)
{
    int rows = graph->nodes[edge->a].count, width = graph->nodes[edge->b].count;
    for (int s = 0; s < rows; s++)
        for (int t = 0; t < width; t++) {
            int64_t cost = edge->costs[(int64_t)s * width + t];
            if (cost >= SOLVE_FORBIDDEN ||
                cost != edge->costs[(int64_t)s * width] + edge->costs[t] - edge->costs[0])
                return false;
        }
    return true;
}

/* Terms may be negative, with their sum at least 0: the least of one side moves to the other. */
static void separate(struct reducer *r, struct graph_edge *edge)
{
    struct graph_node *a = &r->graph->nodes[edge->a], *b = &r->graph->nodes[edge->b];
    int64_t least = edge->costs[0];
    for (int t = 0; t < b->count; t++)
        least = edge->costs[t] < least ? edge->costs[t] : least;
    for (int t = 0; t < b->count; t++)
        b->costs[t] = solve_add(b->costs[t], edge->costs[t] - least);
    for (int s = 0; s < a->count; s++)
        a->costs[s] =
            solve_add(a->costs[s], edge->costs[(int64_t)s * b->count] - edge->costs[0] + least);
    edge->is_gone = true;
    enqueue(r, edge->a);
    enqueue(r, edge->b);
}

static bool drop_edges(struct reducer *r, int node)
{
    bool changed = false;
    int edges = solve_graph_edges(r->graph, node, 0, NULL);
    for (int i = 0; i < edges; i++)
        if (is_separable(r->graph, edge_at(r, node, i))) {
            separate(r, edge_at(r, node, i));
            changed = true;
        }
    return changed;
}

/* ---- nodes ----------------------------------------------------------------------------------- */
static bool is_equal_in_memory(const struct graph_node *node)
{
    for (size_t u = 0; u < node->uses.count; u++)
        for (int s = 1; s < node->count; s++)
            if (node->uses.items[u].bytes[s] != node->uses.items[u].bytes[0])
                return false;
    return true;
}

/* Takes the memory of a node from the rows for good. */
static void take_room(struct reducer *r, const struct graph_node *node)
{
    for (size_t u = 0; u < node->uses.count; u++) {
        const struct graph_use *use = &node->uses.items[u];
        solve_graph_take(r->graph, use->first, use->last, use->bytes[0]);
    }
}

struct elimination {
    int node, edges, a, b;
    const struct graph_edge *edge_a, *edge_b;
};

/* The best strategy of the node for positions s and t of its neighbors. */
static int best_for(const struct reducer *r, const struct elimination *e, int s, int t,
                    int64_t *least)
{
    const struct graph_node *node = &r->graph->nodes[e->node];
    int best = 0;
    *least = INT64_MAX;
    for (int k = 0; k < node->count; k++) {
        int64_t cost = node->costs[k];
        if (e->edge_a)
            cost = solve_add(cost, *solve_graph_at(r->graph, e->edge_a, e->node, k, s));
        if (e->edge_b)
            cost = solve_add(cost, *solve_graph_at(r->graph, e->edge_b, e->node, k, t));
        if (cost < *least)
            *least = cost, best = k;
    }
    return best;
}

static void give_costs(struct reducer *r, const struct elimination *e, const int64_t *costs)
{
    if (e->a < 0)
        r->graph->cost = solve_add(r->graph->cost, costs[0]);
    else if (e->b < 0)
        for (int s = 0; s < r->graph->nodes[e->a].count; s++)
            r->graph->nodes[e->a].costs[s] = solve_add(r->graph->nodes[e->a].costs[s], costs[s]);
    else
        solve_graph_add_edge(r->graph, e->a, e->b, costs);
}

static void eliminate(struct reducer *r, int index, int edges, const int *at)
{
    struct elimination e = {.node = index, .edges = edges, .a = -1, .b = -1};
    if (edges > 0) {
        e.edge_a = &r->graph->edges.items[at[0]];
        e.a = solve_graph_other(e.edge_a, index);
    }
    if (edges > 1) {
        e.edge_b = &r->graph->edges.items[at[1]];
        e.b = solve_graph_other(e.edge_b, index);
    }
    int rows = e.a < 0 ? 1 : r->graph->nodes[e.a].count;
    int width = e.b < 0 ? 1 : r->graph->nodes[e.b].count;
    int *table = ARENA_ARRAY(r->graph->arena, int, (size_t)rows *(size_t)width);
    int64_t *costs = ARENA_ARRAY(r->graph->arena, int64_t, (size_t)rows *(size_t)width);
    for (int s = 0; s < rows; s++)
        for (int t = 0; t < width; t++)
            table[s * width + t] = best_for(r, &e, s, t, &costs[s * width + t]);
    take_room(r, &r->graph->nodes[index]);
    solve_graph_eliminate(r->graph, index, e.a, e.b, table);
    give_costs(r, &e, costs);
    if (e.a >= 0)
        enqueue(r, e.a);
    if (e.b >= 0)
        enqueue(r, e.b);
}

/* A node with one strategy, and any number of neighbors. */
static void fix(struct reducer *r, int index)
{
    static const int first = 0;
    struct graph_node *node = &r->graph->nodes[index];
    enqueue_neighbors(r, index);
    take_room(r, node);
    r->graph->cost = solve_add(r->graph->cost, node->costs[0]);
    int edges = solve_graph_edges(r->graph, index, 0, NULL);
    for (int i = 0; i < edges; i++) {
        const struct graph_edge *edge = edge_at(r, index, i);
        struct graph_node *other = &r->graph->nodes[solve_graph_other(edge, index)];
        for (int t = 0; t < other->count; t++)
            other->costs[t] =
                solve_add(other->costs[t], *solve_graph_at(r->graph, edge, index, 0, t));
    }
    solve_graph_eliminate(r->graph, index, -1, -1, &first);
}

/* ---- decided nodes --------------------------------------------------------------------------- */
/* Whether each strategy of `other` allows one of the node's; map: which. */
static bool is_decided(const struct reducer *r, const struct graph_edge *edge, int node, int *map)
{
    const struct graph_node *other = &r->graph->nodes[solve_graph_other(edge, node)];
    for (int t = 0; t < other->count; t++) {
        int allowed = 0;
        for (int s = 0; s < r->graph->nodes[node].count && allowed < 2; s++)
            if (*solve_graph_at(r->graph, edge, node, s, t) < SOLVE_FORBIDDEN)
                map[t] = s, allowed++;
        if (allowed != 1)
            return false;
    }
    return true;
}

static void move_uses(struct reducer *r, int from, int to, const int *map)
{
    struct graph_node *a = &r->graph->nodes[from], *b = &r->graph->nodes[to];
    for (size_t u = 0; u < a->uses.count; u++) {
        const struct graph_use *use = &a->uses.items[u];
        int64_t *bytes = ARENA_ARRAY(r->graph->arena, int64_t, (size_t)b->count);
        for (int t = 0; t < b->count; t++)
            bytes[t] = use->bytes[map[t]];
        VEC_PUSH(r->graph->arena, &b->uses, (struct graph_use){use->first, use->last, bytes});
    }
}

static void move_edge(struct reducer *r, const struct graph_edge *edge, int from, int to,
                      const int *map)
{
    int third = solve_graph_other(edge, from);
    int rows = r->graph->nodes[to].count, width = r->graph->nodes[third].count;
    int64_t *costs = ARENA_ARRAY(r->graph->arena, int64_t, (size_t)rows *(size_t)width);
    for (int s = 0; s < rows; s++)
        for (int t = 0; t < width; t++)
            costs[(int64_t)s * width + t] = *solve_graph_at(r->graph, edge, from, map[s], t);
    solve_graph_add_edge(r->graph, to, third, costs);
    enqueue(r, third);
}

static void merge(struct reducer *r, int node, int by, int to, const int *map)
{
    struct solve_graph *graph = r->graph;
    struct graph_node *from = &graph->nodes[node], *other = &graph->nodes[to];
    for (int t = 0; t < other->count; t++) {
        const struct graph_edge *edge = &graph->edges.items[by];
        other->costs[t] = solve_add(other->costs[t], from->costs[map[t]]);
        other->costs[t] = solve_add(other->costs[t], *solve_graph_at(graph, edge, node, map[t], t));
    }
    move_uses(r, node, to, map);
    int edges = solve_graph_edges(graph, node, 0, NULL);
    for (int i = 0; i < edges; i++) {
        struct graph_edge edge = graph->edges.items[from->edges.items[i]];
        if (from->edges.items[i] != by)
            move_edge(r, &edge, node, to, map);
    }
    solve_graph_eliminate(graph, node, to, -1, map);
    enqueue(r, to);
}

/* Whether the strategies of both decide each other; inverse: of the map. */
static bool invert(const struct reducer *r, int node, int other, const int *map, int *inverse)
{
    int count = r->graph->nodes[node].count;
    for (int s = 0; s < count; s++)
        inverse[s] = -1;
    for (int t = 0; t < r->graph->nodes[other].count; t++) {
        if (inverse[map[t]] >= 0)
            return false;
        inverse[map[t]] = t;
    }
    return count == r->graph->nodes[other].count;
}

/* What a merge moves. */
static size_t weight_of(const struct reducer *r, int node)
{
    return r->graph->nodes[node].edges.count + r->graph->nodes[node].uses.count;
}

/* Of two nodes that decide each other, the lighter one becomes part of the other, so that a chain
 * of n nodes moves O(n log n) edges and uses. */
static void merge_either(struct reducer *r, int node, int by, const int *map)
{
    int inverse[SOLVE_MAX_STRATEGIES];
    int other = solve_graph_other(&r->graph->edges.items[by], node);
    if (weight_of(r, other) < weight_of(r, node) && invert(r, node, other, map, inverse))
        merge(r, other, by, node, inverse);
    else
        merge(r, node, by, other, map);
}

static bool merge_decided(struct reducer *r, int node)
{
    int map[SOLVE_MAX_STRATEGIES];
    int edges = solve_graph_edges(r->graph, node, 0, NULL);
    for (int i = 0; i < edges; i++) {
        int by = r->graph->nodes[node].edges.items[i];
        if (!is_decided(r, &r->graph->edges.items[by], node, map))
            continue;
        merge_either(r, node, by, map);
        return true;
    }
    return false;
}

/* ---- the whole ------------------------------------------------------------------------------- */
static bool reduce_node(struct reducer *r, int index)
{
    struct graph_node *node = &r->graph->nodes[index];
    int at[2], edges;
    bool drops = drop_strategies(r, index);
    if (drop_edges(r, index) || drops)
        return true;
    if (node->count == 1) {
        fix(r, index);
        return false;
    }
    edges = solve_graph_edges(r->graph, index, 2, at);
    if (edges <= 2 && is_equal_in_memory(node)) {
        eliminate(r, index, edges, at);
        return false;
    }
    merge_decided(r, index);
    return false;
}

static void reduce_nodes(struct solve_graph *graph)
{
    size_t count = (size_t)graph->problem->node_count;
    struct reducer r = {.graph = graph, .is_queued = ARENA_ARRAY(graph->arena, bool, count + 1)};
    for (int i = 0; i < (int)count; i++)
        enqueue(&r, i);
    for (size_t at = 0; at < r.queue.count && !graph->is_infeasible; at++) {
        int node = r.queue.items[at];
        r.is_queued[node] = false;
        while (graph->nodes[node].count && !graph->is_infeasible && reduce_node(&r, node))
            continue;
    }
    solve_graph_settle(graph);
}

void solve_reduce(struct solve_graph *graph)
{
    enum { PASSES = 4 }; /* each visits all nodes, and the first ones find the most */
    bool changed = true;
    for (int pass = 0; changed && pass < PASSES; pass++) {
        reduce_nodes(graph);
        changed = graph->room && !graph->is_infeasible && solve_compact(graph);
    }
}
