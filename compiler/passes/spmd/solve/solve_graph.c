#include "compiler/passes/spmd/solve/solve_graph.h"

#include <string.h>

/* ---- edges ----------------------------------------------------------------------------------- */
int solve_graph_edges(struct solve_graph *graph, int node, int capacity, int *out)
{
    struct graph_node *n = &graph->nodes[node];
    size_t kept = 0;
    for (size_t i = 0; i < n->edges.count; i++)
        if (!graph->edges.items[n->edges.items[i]].is_gone)
            n->edges.items[kept++] = n->edges.items[i];
    n->edges.count = kept;
    for (size_t i = 0; i < kept && (int)i < capacity; i++)
        out[i] = n->edges.items[i];
    return (int)kept;
}

static struct graph_edge *edge_of(struct solve_graph *graph, int a, int b)
{
    int key[2] = {a < b ? a : b, a < b ? b : a};
    uintptr_t known = (uintptr_t)map_get(graph->pairs, key, sizeof key);
    if (known && !graph->edges.items[known - 1].is_gone)
        return &graph->edges.items[known - 1];
    size_t pairs = (size_t)graph->nodes[a].count * (size_t)graph->nodes[b].count;
    VEC_PUSH(graph->arena, &graph->edges,
             (struct graph_edge){.a = a, .b = b, ARENA_ARRAY(graph->arena, int64_t, pairs)});
    map_put(graph->pairs, key, sizeof key, (void *)(uintptr_t)graph->edges.count);
    VEC_PUSH(graph->arena, &graph->nodes[a].edges, (int)graph->edges.count - 1);
    VEC_PUSH(graph->arena, &graph->nodes[b].edges, (int)graph->edges.count - 1);
    return &VEC_LAST(&graph->edges);
}

void solve_graph_add_edge(struct solve_graph *graph, int a, int b, const int64_t *costs)
{
    struct graph_edge *edge = edge_of(graph, a, b);
    int rows = graph->nodes[a].count, width = graph->nodes[b].count;
    for (int s = 0; s < rows; s++)
        for (int t = 0; t < width; t++) {
            int64_t *at = solve_graph_at(graph, edge, a, s, t);
            *at = solve_add(*at, costs[(int64_t)s * width + t]);
        }
}

/* ---- creation -------------------------------------------------------------------------------- */
static void add_node(struct solve_graph *graph, int index, const struct solve_node *from)
{
    struct graph_node *node = &graph->nodes[index];
    size_t bytes = (size_t)from->count * sizeof(int64_t);
    node->count = from->count;
    node->ids = ARENA_ARRAY(graph->arena, int, (size_t)from->count);
    node->costs = arena_copy(graph->arena, from->costs, bytes);
    for (int s = 0; s < from->count; s++)
        node->ids[s] = s;
    for (int u = 0; u < from->use_count && graph->room; u++) {
        const struct solve_use *use = &from->uses[u];
        int64_t *taken = arena_copy(graph->arena, use->bytes, bytes);
        VEC_PUSH(graph->arena, &node->uses, (struct graph_use){use->first, use->last, taken});
    }
}

struct solve_graph *solve_graph_create(struct arena *arena, const struct solve_problem *problem)
{
    struct solve_graph *graph = ARENA_NEW(arena, struct solve_graph);
    graph->arena = arena;
    graph->problem = problem;
    graph->nodes = ARENA_ARRAY(arena, struct graph_node, (size_t)problem->node_count + 1);
    graph->pairs = map_create(arena);
    graph->row_count = problem->row_count;
    if (problem->limit >= 0) {
        graph->room = ARENA_ARRAY(arena, int64_t, (size_t)problem->row_count + 1);
        graph->taken = ARENA_ARRAY(arena, int64_t, (size_t)problem->row_count + 1);
    }
    for (int r = 0; graph->room && r < problem->row_count; r++)
        graph->room[r] = problem->limit;
    for (int i = 0; i < problem->node_count; i++)
        add_node(graph, i, &problem->nodes[i]);
    for (int i = 0; i < problem->edge_count; i++)
        solve_graph_add_edge(graph, problem->edges[i].a, problem->edges[i].b,
                             problem->edges[i].costs);
    return graph;
}

/* ---- removal --------------------------------------------------------------------------------- */
static void keep_pairs(struct solve_graph *graph, struct graph_edge *edge, int node,
                       const bool *kept)
{
    int rows = graph->nodes[edge->a].count, width = graph->nodes[edge->b].count;
    int64_t at = 0;
    for (int s = 0; s < rows; s++)
        for (int t = 0; t < width; t++)
            if (kept[edge->a == node ? s : t])
                edge->costs[at++] = edge->costs[(int64_t)s * width + t];
}

static void keep_numbers(int64_t *numbers, int count, const bool *kept)
{
    for (int s = 0, at = 0; s < count; s++)
        if (kept[s])
            numbers[at++] = numbers[s];
}

void solve_graph_keep(struct solve_graph *graph, int index, const bool *kept)
{
    struct graph_node *node = &graph->nodes[index];
    int edges = solve_graph_edges(graph, index, 0, NULL), count = 0;
    for (int i = 0; i < edges; i++)
        keep_pairs(graph, &graph->edges.items[node->edges.items[i]], index, kept);
    for (size_t u = 0; u < node->uses.count; u++)
        keep_numbers(node->uses.items[u].bytes, node->count, kept);
    keep_numbers(node->costs, node->count, kept);
    for (int s = 0; s < node->count; s++)
        if (kept[s])
            node->ids[count++] = node->ids[s];
    node->count = count;
}

/* The position of each id that a node still has. */
static const int *ranks_of(struct solve_graph *graph, int index)
{
    if (index < 0)
        return NULL;
    int *ranks = ARENA_ARRAY(graph->arena, int, (size_t)graph->problem->nodes[index].count);
    for (int s = 0; s < graph->nodes[index].count; s++)
        ranks[graph->nodes[index].ids[s]] = s;
    return ranks;
}

void solve_graph_eliminate(struct solve_graph *graph, int index, int a, int b, const int *table)
{
    struct graph_node *node = &graph->nodes[index];
    int rows = a < 0 ? 1 : graph->nodes[a].count, width = b < 0 ? 1 : graph->nodes[b].count;
    int *ids = ARENA_ARRAY(graph->arena, int, (size_t)rows *(size_t)width);
    for (int64_t i = 0; i < (int64_t)rows * width; i++)
        ids[i] = node->ids[table[i]];
    VEC_PUSH(graph->arena, &graph->steps,
             (struct graph_step){index, a, b, ids, ranks_of(graph, a), ranks_of(graph, b), width});
    int edges = solve_graph_edges(graph, index, 0, NULL);
    for (int i = 0; i < edges; i++)
        graph->edges.items[node->edges.items[i]].is_gone = true;
    node->edges.count = node->uses.count = 0;
    node->count = 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */
void solve_graph_take(struct solve_graph *graph, int first, int last, int64_t bytes)
{
    graph->taken[first] += bytes;
    graph->taken[last + 1] -= bytes;
}

void solve_graph_settle(struct solve_graph *graph)
{
    int64_t taken = 0;
    for (int r = 0; graph->room && r < graph->row_count; r++) {
        taken += graph->taken[r];
        graph->room[r] -= taken;
        graph->is_infeasible |= graph->room[r] < 0;
    }
    if (graph->room)
        memset(graph->taken, 0, ((size_t)graph->row_count + 1) * sizeof *graph->taken);
}

void solve_graph_load(const struct solve_graph *graph, const int *positions, int64_t *load)
{
    memset(load, 0, ((size_t)graph->row_count + 1) * sizeof *load);
    for (int i = 0; i < graph->problem->node_count; i++)
        for (size_t u = 0; graph->nodes[i].count && u < graph->nodes[i].uses.count; u++) {
            const struct graph_use *use = &graph->nodes[i].uses.items[u];
            load[use->first] += use->bytes[positions[i]];
            load[use->last + 1] -= use->bytes[positions[i]];
        }
    for (int r = 0; r < graph->row_count; r++)
        load[r + 1] += load[r];
}

/* ---- the answer ------------------------------------------------------------------------------ */
void solve_graph_expand(const struct solve_graph *graph, const int *positions, int *choice)
{
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            choice[i] = graph->nodes[i].ids[positions[i]];
    for (size_t k = graph->steps.count; k-- > 0;) {
        const struct graph_step *step = &graph->steps.items[k];
        int a = step->a < 0 ? 0 : step->a_rank[choice[step->a]];
        int b = step->b < 0 ? 0 : step->b_rank[choice[step->b]];
        choice[step->node] = step->table[(int64_t)a * step->b_count + b];
    }
}
