#include "compiler/passes/spmd/solve/solve.h"

#include <math.h>
#include <string.h>

#include "compiler/passes/spmd/solve/solve_cbc.h"
#include "compiler/passes/spmd/solve/solve_local.h"
#include "compiler/passes/spmd/solve/solve_messages.h"
#include "compiler/passes/spmd/solve/solve_reduce.h"

struct first { /* the first answer */
    struct solve_graph *graph;
    const struct solve_options *options;
    int nodes_left;
    struct solve_messages *messages;
    struct solve_local *local;
    double *multipliers;
    double bound;
    bool *binding; /* rows that had a multiplier */
    int64_t *load; /* of each row */
    int *positions, *best;
    struct solve_value value; /* of the best */
};

static void report(const struct first *f, const char *stage)
{
    bool is_found = !f->value.excess && f->value.cost < SOLVE_FORBIDDEN;
    const struct solve_progress progress = {stage, f->nodes_left,
                                            is_found ? f->value.cost : SOLVE_FORBIDDEN, f->bound};
    if (f->options->report)
        f->options->report(f->options->context, &progress);
}

/* ---- multipliers ----------------------------------------------------------------------------- */
/* Polyak's step towards the cost of the best answer, along the excess of the decoded one. */
static void step(struct first *f, double bound, double scale)
{
    int rows = f->graph->row_count;
    double norm = 0, gap = (double)f->value.cost - bound;
    solve_graph_load(f->graph, f->positions, f->load);
    if (f->value.excess || f->value.cost >= SOLVE_FORBIDDEN)
        gap = 0.05 * fabs(bound);
    for (int r = 0; r < rows; r++) {
        double over = (double)(f->load[r] - f->graph->room[r]);
        norm += over > 0 || f->multipliers[r] > 0 ? over * over : 0;
    }
    for (int r = 0; norm > 0 && r < rows; r++) {
        double over = (double)(f->load[r] - f->graph->room[r]);
        if (over <= 0 && f->multipliers[r] == 0)
            continue;
        double next = f->multipliers[r] + scale * gap * over / norm;
        f->multipliers[r] = next > 0 ? next : 0;
        f->binding[r] |= next > 0;
    }
}

/* ---- answers --------------------------------------------------------------------------------- */
static bool is_better(struct solve_value a, struct solve_value b)
{
    return a.excess != b.excess ? a.excess < b.excess : a.cost < b.cost;
}

/* Improves the decoded answer at the multipliers' prices, then within the memory. */
static void consider(struct first *f)
{
    size_t size = ((size_t)f->graph->problem->node_count + 1) * sizeof(int);
    int *positions = arena_copy(f->graph->arena, f->positions, size);
    solve_local_improve(f->local, positions, f->multipliers, 3);
    struct solve_value value = solve_local_improve(f->local, positions, NULL, 10);
    if (!is_better(value, f->value))
        return;
    f->value = value;
    memcpy(f->best, positions, size);
    if (!value.excess && value.cost < SOLVE_FORBIDDEN)
        report(f, "answer");
}

static void search(struct first *f)
{
    enum { SWEEPS = 4 };
    double scale = 1;
    int since = 0, rounds = f->options->rounds > 1 ? f->options->rounds : 1;
    for (int round = 0; round < rounds; round++) {
        double bound = 0;
        for (int i = 0; i < SWEEPS; i++)
            bound = solve_messages_sweep(f->messages);
        since = bound > f->bound + 1e-4 * fabs(bound) ? 0 : since + 1;
        f->bound = bound > f->bound ? bound : f->bound;
        solve_messages_decode(f->messages, f->positions);
        consider(f);
        if (!f->value.excess && (double)f->value.cost <= f->bound + 0.5)
            return;
        if (since > 5)
            scale /= 2, since = 0;
        if (f->graph->room)
            step(f, bound, scale);
        solve_messages_price(f->messages, f->graph->room ? f->multipliers : NULL);
    }
}

static struct first first_create(struct solve_graph *graph, const struct solve_options *options,
                                 int nodes_left)
{
    size_t rows = (size_t)graph->row_count + 1;
    size_t nodes = (size_t)graph->problem->node_count + 1;
    return (struct first){.graph = graph,
                          .options = options,
                          .nodes_left = nodes_left,
                          .messages = solve_messages_create(graph),
                          .local = solve_local_create(graph),
                          .multipliers = ARENA_ARRAY(graph->arena, double, rows),
                          .binding = ARENA_ARRAY(graph->arena, bool, rows),
                          .load = ARENA_ARRAY(graph->arena, int64_t, rows),
                          .positions = ARENA_ARRAY(graph->arena, int, nodes),
                          .best = ARENA_ARRAY(graph->arena, int, nodes),
                          .value = {INT64_MAX, SOLVE_FORBIDDEN}};
}

/* ---- the whole ------------------------------------------------------------------------------- */
static void finish(struct solve_graph *graph, const int *positions, struct solve_value value,
                   int64_t bound, struct solve_answer *out)
{
    out->is_found = !value.excess && value.cost < SOLVE_FORBIDDEN;
    out->cost = value.cost;
    out->bound = out->is_found && bound > value.cost ? value.cost : bound;
    out->is_optimal = out->is_found && bound >= value.cost;
    solve_graph_expand(graph, positions, out->choice);
}

struct error *solve_run(struct arena *arena, const struct solve_problem *problem,
                        const struct solve_options *options, struct solve_answer *out)
{
    *out = (struct solve_answer){.cost = SOLVE_FORBIDDEN, .first_cost = SOLVE_FORBIDDEN};
    TRY(solve_problem_check(problem));
    struct solve_graph *graph = solve_graph_create(arena, problem);
    out->choice = ARENA_ARRAY(arena, int, (size_t)problem->node_count + 1);
    solve_reduce(graph);
    for (int i = 0; i < problem->node_count; i++)
        out->nodes_left += graph->nodes[i].count > 0;
    if (graph->is_infeasible || graph->cost >= SOLVE_FORBIDDEN) {
        out->is_infeasible = true;
        return NULL;
    }
    struct first first = first_create(graph, options, out->nodes_left);
    report(&first, "reduced");
    search(&first);
    bool is_found = !first.value.excess && first.value.cost < SOLVE_FORBIDDEN;
    if (is_found)
        out->first_cost = first.value.cost;
    int64_t bound = (int64_t)ceil(first.bound - 0.5 - 1e-9 * fabs(first.bound));
    finish(graph, first.best, first.value, bound, out);
    if (out->is_optimal || !options->uses_cbc || !solve_cbc_is_there())
        return NULL;
    struct cbc_result cbc =
        solve_cbc_run(graph, options, is_found ? first.best : NULL, first.binding);
    out->is_infeasible = cbc.is_infeasible;
    bound = cbc.bound > bound ? cbc.bound : bound;
    if (cbc.is_found && (!is_found || cbc.cost <= first.value.cost))
        finish(graph, cbc.positions, (struct solve_value){0, cbc.cost}, bound, out);
    else
        finish(graph, first.best, first.value, bound, out);
    return NULL;
}
