#include "compiler/passes/spmd/solve/solve_problem.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- checks ---------------------------------------------------------------------------------- */
static bool are_at_least_0(const int64_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (numbers[i] < 0)
            return false;
    return true;
}

static struct error *check_node(const struct solve_problem *problem, int index)
{
    const struct solve_node *node = &problem->nodes[index];
    if (node->count < 1 || node->count > SOLVE_MAX_STRATEGIES)
        return ERROR(INVALID_ARGUMENT, "node %d has %d strategies; allowed: 1 to %d", index,
                     node->count, SOLVE_MAX_STRATEGIES);
    if (!are_at_least_0(node->costs, node->count))
        return ERROR(INVALID_ARGUMENT, "node %d has a negative cost", index);
    for (int u = 0; u < node->use_count; u++) {
        const struct solve_use *use = &node->uses[u];
        if (use->first < 0 || use->last < use->first || use->last >= problem->row_count)
            return ERROR(INVALID_ARGUMENT, "node %d is live in rows %d to %d; allowed: 0 to %d",
                         index, use->first, use->last, problem->row_count - 1);
        if (!are_at_least_0(use->bytes, node->count))
            return ERROR(INVALID_ARGUMENT, "node %d takes a negative number of bytes", index);
    }
    return NULL;
}

struct error *solve_problem_check(const struct solve_problem *problem)
{
    for (int i = 0; i < problem->node_count; i++)
        TRY(check_node(problem, i));
    for (int i = 0; i < problem->edge_count; i++) {
        const struct solve_edge *edge = &problem->edges[i];
        if (edge->a < 0 || edge->b < 0 || edge->a >= problem->node_count ||
            edge->b >= problem->node_count || edge->a == edge->b)
            return ERROR(INVALID_ARGUMENT, "edge %d joins nodes %d and %d; allowed: two of 0 to %d",
                         i, edge->a, edge->b, problem->node_count - 1);
        int64_t count = (int64_t)problem->nodes[edge->a].count * problem->nodes[edge->b].count;
        if (!are_at_least_0(edge->costs, count))
            return ERROR(INVALID_ARGUMENT, "edge %d has a negative cost", i);
    }
    return NULL;
}

/* ---- a choice -------------------------------------------------------------------------------- */
int64_t solve_problem_cost(const struct solve_problem *problem, const int *choice)
{
    int64_t cost = 0;
    for (int i = 0; i < problem->node_count; i++)
        cost = solve_add(cost, problem->nodes[i].costs[choice[i]]);
    for (int i = 0; i < problem->edge_count; i++) {
        const struct solve_edge *edge = &problem->edges[i];
        int width = problem->nodes[edge->b].count;
        cost = solve_add(cost, edge->costs[(int64_t)choice[edge->a] * width + choice[edge->b]]);
    }
    return cost;
}

int64_t solve_problem_peak(struct arena *arena, const struct solve_problem *problem,
                           const int *choice)
{
    int64_t peak = 0, live = 0;
    int64_t *change = ARENA_ARRAY(arena, int64_t, (size_t)problem->row_count + 1);
    for (int i = 0; i < problem->node_count; i++)
        for (int u = 0; u < problem->nodes[i].use_count; u++) {
            const struct solve_use *use = &problem->nodes[i].uses[u];
            change[use->first] += use->bytes[choice[i]];
            change[use->last + 1] -= use->bytes[choice[i]];
        }
    for (int r = 0; r < problem->row_count; r++) {
        live += change[r];
        peak = live > peak ? live : peak;
    }
    return peak;
}

/* ---- rows ------------------------------------------------------------------------------------ */
struct event { /* ends come before beginnings at the same time */
    int64_t time;
    int interval;
    bool is_begin;
};

static int compare_events(const void *a, const void *b)
{
    const struct event *x = a, *y = b;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    if (x->is_begin != y->is_begin)
        return x->is_begin ? 1 : -1;
    return x->interval < y->interval ? -1 : x->interval > y->interval;
}

int solve_problem_rows(struct arena *arena, int count, const struct solve_interval *intervals,
                       int *first, int *last)
{
    struct event *events = ARENA_ARRAY(arena, struct event, 2 * (size_t)count + 1);
    size_t events_count = 0;
    int rows = 0;
    for (int i = 0; i < count; i++) {
        first[i] = 0, last[i] = -1;
        if (intervals[i].end <= intervals[i].begin)
            continue;
        events[events_count++] = (struct event){intervals[i].begin, i, true};
        events[events_count++] = (struct event){intervals[i].end, i, false};
    }
    qsort(events, events_count, sizeof *events, compare_events);
    bool has_begun = false; /* something, since the last row */
    for (size_t e = 0; e < events_count; e++) {
        if (has_begun && !events[e].is_begin)
            rows++;
        has_begun = events[e].is_begin;
        if (has_begun)
            first[events[e].interval] = rows;
        else
            last[events[e].interval] = rows - 1;
    }
    return rows;
}
