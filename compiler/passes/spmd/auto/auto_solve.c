#include "compiler/passes/spmd/auto/auto_solve.h"

#include <string.h>

#include "base/log.h"
#include "compiler/passes/spmd/solve/solve.h"

enum { ATTEMPTS = 4, PAIRS = 4000000 };

struct solver {
    struct auto_score *score;
    struct arena *arena;
    struct auto_program program;
    struct auto_cost (*plan)(void *context, const struct auto_answer *);
    void *context;
    struct auto_solved *out;
};

/* What the program itself says, of the first solution within the memory. */
static void note(struct auto_solved *out, const struct solve_problem *problem,
                 const struct solve_answer *answer)
{
    out->nodes = problem->node_count;
    out->bound = (double)answer->bound / 1e12;
    out->cost = answer->is_found ? (double)answer->cost / 1e12 : 0;
}

/* Solves with this weight of communication and limit; -1: none. is_noted: for the explanation. */
static struct error *solve_once(struct solver *s, double weight, int64_t limit, bool is_noted,
                                struct auto_cost *cost)
{
    struct solve_options options = SOLVE_OPTIONS_DEFAULT;
    struct solve_answer answer;
    struct solve_problem problem = auto_program_weigh(s->arena, &s->program.problem, weight, limit);
    options.rounds = 40;
    options.cbc_nodes = 50;
    options.cbc_entries = 30000;
    options.uses_cbc = weight == 1;
    *cost = (struct auto_cost){0};
    TRY(solve_run(s->arena, &problem, &options, &answer));
    LOG(DEBUG,
        "auto-sharding: program of %d nodes (%d left), %d edges, %d rows, weight %g: %s %.6g s, "
        "bound %.6g s",
        problem.node_count, answer.nodes_left, problem.edge_count, problem.row_count, weight,
        answer.is_infeasible ? "infeasible"
        : answer.is_optimal  ? "optimal"
        : answer.is_found    ? "best"
                             : "exceeds the limit,",
        (double)answer.cost / 1e12, (double)answer.bound / 1e12);
    if (is_noted)
        note(s->out, &problem, &answer);
    if (!answer.is_found || s->out->count == AUTO_SOLVED)
        return NULL;
    struct auto_answer made =
        auto_program_answer(s->score->module->arena, s->score->classes, &s->program, answer.choice);
    *cost = s->plan(s->context, &made);
    s->out->at[s->out->count++] = made;
    return NULL;
}

/* Lowers the limit by what the plan exceeds the memory. */
static struct error *solve_within(struct solver *s, double weight, double limit)
{
    uint64_t memory = s->score->planner->memory_bytes;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        struct auto_cost cost;
        bool is_noted = weight == 1 && attempt == 0;
        TRY(solve_once(s, weight, memory && limit >= 0 ? (int64_t)limit : -1, is_noted, &cost));
        if (!cost.is_planned || !memory || cost.peak_bytes <= memory || limit < 0)
            return NULL;
        limit *= 0.97 * (double)memory / (double)cost.peak_bytes;
    }
    return NULL;
}

/* The program counts more memory than plans need: a limit excludes answers that fit. */
static struct error *solve_without_limit(struct solver *s)
{
    struct auto_cost cost;
    return solve_once(s, 1, -1, false, &cost);
}

static int64_t pairs_of(const struct solve_problem *problem)
{
    int64_t pairs = 0;
    for (int i = 0; i < problem->edge_count; i++)
        pairs += (int64_t)problem->nodes[problem->edges[i].a].count *
                 problem->nodes[problem->edges[i].b].count;
    return pairs;
}

struct error *auto_solve_run(struct auto_score *score, const struct auto_answer *known,
                             uint64_t peak_bytes,
                             struct auto_cost (*plan)(void *context, const struct auto_answer *),
                             void *context, struct auto_solved *out)
{
    static const double weights[] = {1, 0.4, 2.5};
    struct solver s = {.score = score,
                       .arena = score->module->arena,
                       .plan = plan,
                       .context = context,
                       .out = out};
    *out = (struct auto_solved){0};
    auto_program_build(s.arena, score->module, score->classes, score->mesh, score->planner->prices,
                       &s.program);
    if (pairs_of(&s.program.problem) > PAIRS)
        return NULL;
    int64_t counted = auto_program_peak(s.arena, score->classes, score->mesh, &s.program, known);
    double limit = (double)score->planner->memory_bytes;
    if (counted > 0 && peak_bytes)
        limit *= (double)counted / (double)peak_bytes;
    if (score->planner->memory_bytes)
        TRY(solve_without_limit(&s));
    for (size_t i = 0; i < sizeof weights / sizeof *weights && out->count < AUTO_SOLVED; i++)
        TRY(solve_within(&s, weights[i], limit));
    return NULL;
}
