#include "compiler/passes/spmd/solve/solve_messages.h"

#include <math.h>

struct link { /* a node's end of an edge */
    const struct graph_edge *edge;
    int other;
    double *in, *out; /* messages to the node, for each of its strategies, and from it */
};

struct site {                            /* a node that remains */
    int node, count, link_count, before; /* links to sites before it come first */
    struct link *links;
    double *costs;  /* of its strategies, with their memory at the multipliers' prices */
    double *belief; /* scratch */
};

struct solve_messages {
    struct solve_graph *graph;
    int site_count;
    struct site *sites;
    double large; /* what a forbidden pair counts: finite, so that sums keep their precision */
    const double *multipliers;
    double *prices; /* prefix sums of the multipliers */
};

/* ---- creation -------------------------------------------------------------------------------- */
/* More than any choice without a forbidden pair costs. */
static double large_cost(const struct solve_graph *graph)
{
    double sum = 1;
    for (int i = 0; i < graph->problem->node_count; i++) {
        int64_t most = 0;
        for (int s = 0; s < graph->nodes[i].count; s++)
            if (graph->nodes[i].costs[s] < SOLVE_FORBIDDEN && graph->nodes[i].costs[s] > most)
                most = graph->nodes[i].costs[s];
        sum += (double)most;
    }
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct graph_edge *edge = &graph->edges.items[i];
        int64_t most = 0;
        int pairs = edge->is_gone ? 0 : graph->nodes[edge->a].count * graph->nodes[edge->b].count;
        for (int k = 0; k < pairs; k++)
            if (edge->costs[k] < SOLVE_FORBIDDEN && edge->costs[k] > most)
                most = edge->costs[k];
        sum += (double)most;
    }
    return sum;
}

static void add_links(struct solve_messages *m, struct site *site, double **messages)
{
    struct solve_graph *graph = m->graph;
    const int *edges = graph->nodes[site->node].edges.items;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < site->link_count; i++) {
            const struct graph_edge *edge = &graph->edges.items[edges[i]];
            int other = solve_graph_other(edge, site->node);
            if ((other > site->node) != pass)
                continue;
            double **to_a = &messages[2 * edges[i]], **to_b = to_a + 1;
            bool is_a = edge->a == site->node;
            site->links[site->before++] =
                (struct link){edge, other, is_a ? *to_a : *to_b, is_a ? *to_b : *to_a};
        }
    site->before = 0;
    for (int i = 0; i < site->link_count; i++)
        site->before += site->links[i].other < site->node;
}

static void add_site(struct solve_messages *m, int node, double **messages)
{
    struct site *site = &m->sites[m->site_count++];
    struct arena *arena = m->graph->arena;
    size_t count = (size_t)m->graph->nodes[node].count;
    *site = (struct site){.node = node,
                          .count = (int)count,
                          .link_count = solve_graph_edges(m->graph, node, 0, NULL),
                          .costs = ARENA_ARRAY(arena, double, count),
                          .belief = ARENA_ARRAY(arena, double, count)};
    site->links = ARENA_ARRAY(arena, struct link, (size_t)site->link_count + 1);
    add_links(m, site, messages);
}

struct solve_messages *solve_messages_create(struct solve_graph *graph)
{
    struct arena *arena = graph->arena;
    struct solve_messages *m = ARENA_NEW(arena, struct solve_messages);
    double **messages = ARENA_ARRAY(arena, double *, 2 * graph->edges.count + 1);
    m->graph = graph;
    m->large = large_cost(graph);
    m->sites = ARENA_ARRAY(arena, struct site, (size_t)graph->problem->node_count + 1);
    m->prices = ARENA_ARRAY(arena, double, (size_t)graph->row_count + 1);
    for (size_t i = 0; i < graph->edges.count; i++) {
        const struct graph_edge *edge = &graph->edges.items[i];
        if (edge->is_gone)
            continue;
        messages[2 * i] = ARENA_ARRAY(arena, double, (size_t)graph->nodes[edge->a].count);
        messages[2 * i + 1] = ARENA_ARRAY(arena, double, (size_t)graph->nodes[edge->b].count);
    }
    for (int i = 0; i < graph->problem->node_count; i++)
        if (graph->nodes[i].count)
            add_site(m, i, messages);
    solve_messages_price(m, NULL);
    return m;
}

static double cost_of(const struct solve_messages *m, int64_t cost)
{
    return cost >= SOLVE_FORBIDDEN ? m->large : (double)cost;
}

void solve_messages_price(struct solve_messages *m, const double *multipliers)
{
    m->multipliers = multipliers;
    for (int r = 0; multipliers && r < m->graph->row_count; r++)
        m->prices[r + 1] = m->prices[r] + multipliers[r];
    for (int i = 0; i < m->site_count; i++) {
        const struct graph_node *node = &m->graph->nodes[m->sites[i].node];
        for (int s = 0; s < node->count; s++) {
            double cost = cost_of(m, node->costs[s]);
            for (size_t u = 0; multipliers && u < node->uses.count; u++) {
                const struct graph_use *use = &node->uses.items[u];
                cost += (double)use->bytes[s] * (m->prices[use->last + 1] - m->prices[use->first]);
            }
            m->sites[i].costs[s] = cost;
        }
    }
}

/* ---- sweeps ---------------------------------------------------------------------------------- */
/* Takes the least element off, and returns it. */
static double believe(const struct site *site)
{
    double least = INFINITY;
    for (int s = 0; s < site->count; s++)
        site->belief[s] = site->costs[s];
    for (int i = 0; i < site->link_count; i++)
        for (int s = 0; s < site->count; s++)
            site->belief[s] += site->links[i].in[s];
    for (int s = 0; s < site->count; s++)
        least = site->belief[s] < least ? site->belief[s] : least;
    for (int s = 0; s < site->count; s++)
        site->belief[s] -= least;
    return least;
}

/* The message along a link: the least of the sender's share of its belief and the pair's cost. Its
 * least element is taken off, and returned. */
static double send(const struct solve_messages *m, const struct site *site, const struct link *link,
                   double share)
{
    const struct graph_edge *edge = link->edge;
    int count = m->graph->nodes[link->other].count;
    int width = m->graph->nodes[edge->b].count;
    int64_t step_s = edge->a == site->node ? width : 1, step_t = edge->a == site->node ? 1 : width;
    double least = INFINITY;
    for (int t = 0; t < count; t++)
        link->out[t] = INFINITY;
    for (int s = 0; s < site->count; s++) {
        double base = share * site->belief[s] - link->in[s];
        for (int t = 0; t < count; t++) {
            double cost = base + cost_of(m, edge->costs[s * step_s + t * step_t]);
            link->out[t] = cost < link->out[t] ? cost : link->out[t];
        }
    }
    for (int t = 0; t < count; t++)
        least = link->out[t] < least ? link->out[t] : least;
    for (int t = 0; t < count; t++)
        link->out[t] -= least;
    return least;
}

/* Sends along the links to one side; returns what was taken off the belief and the messages. */
static double visit(const struct solve_messages *m, const struct site *site, bool is_forth)
{
    int after = site->link_count - site->before;
    int most = site->before > after ? site->before : after;
    double share = 1.0 / (most ? most : 1), bound = believe(site);
    for (int i = is_forth ? site->before : 0; i < (is_forth ? site->link_count : site->before); i++)
        bound += send(m, site, &site->links[i], share);
    return bound;
}

double solve_messages_sweep(struct solve_messages *m)
{
    double bound = (double)m->graph->cost;
    for (int i = 0; i < m->site_count; i++)
        visit(m, &m->sites[i], true);
    for (int i = m->site_count; i-- > 0;)
        bound += visit(m, &m->sites[i], false);
    for (int r = 0; m->multipliers && r < m->graph->row_count; r++)
        bound -= m->multipliers[r] * (double)m->graph->room[r];
    return bound;
}

/* ---- results --------------------------------------------------------------------------------- */
void solve_messages_decode(const struct solve_messages *m, int *positions)
{
    for (int i = 0; i < m->site_count; i++) {
        const struct site *site = &m->sites[i];
        int best = 0;
        for (int s = 0; s < site->count; s++)
            site->belief[s] = site->costs[s];
        for (int k = 0; k < site->link_count; k++) {
            const struct link *link = &site->links[k];
            for (int s = 0; s < site->count; s++)
                site->belief[s] +=
                    k < site->before ? cost_of(m, *solve_graph_at(m->graph, link->edge, site->node,
                                                                  s, positions[link->other]))
                                     : link->in[s];
        }
        for (int s = 0; s < site->count; s++)
            if (site->belief[s] < site->belief[best])
                best = s;
        positions[site->node] = best;
    }
}
