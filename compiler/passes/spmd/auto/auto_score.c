#include "compiler/passes/spmd/auto/auto_score.h"

#include "base/log.h"
#include "compiler/passes/spmd/auto/auto_copy.h"

struct trial {
    struct auto_score *score;
    const struct auto_answer *answer;
    struct arena *arena;
    struct auto_cost *out;
};

static void destroy(void *arena)
{
    arena_destroy(arena);
}

struct auto_score auto_score_create(const struct module *module, const struct auto_classes *classes,
                                    const struct mesh *mesh, const struct auto_planner *planner,
                                    int64_t budget)
{
    return (struct auto_score){.module = module,
                               .classes = classes,
                               .mesh = mesh,
                               .planner = planner,
                               .known = map_create(module->arena),
                               .budget = budget,
                               .inner = arena_keep(module->arena, destroy)};
}

/* A plan of many operations takes more time an operation: its memory exceeds the caches. */
int64_t auto_score_work(const struct auto_classes *classes)
{
    enum { CACHED = 4000 };
    return classes->operations + classes->operations * (classes->operations / 64) / (CACHED / 64);
}

bool auto_score_is_spent(const struct auto_score *score)
{
    return score->budget <= 0;
}

static struct error *run_trial(void *context)
{
    struct trial *trial = context;
    struct auto_score *score = trial->score;
    struct module *copy = auto_copy_make(trial->arena, score->module);
    auto_answer_apply(score->classes, score->mesh, trial->answer, copy);
    TRY(score->planner->plan(score->planner->context, copy, trial->out));
    trial->out->is_planned = true;
    return NULL;
}

/* In an arena of its own, which ends with the trial. */
static struct error *plan(struct auto_score *score, const struct auto_answer *answer,
                          struct auto_cost *out)
{
    struct arena *arena;
    TRY(arena_create(&arena));
    *score->inner = arena;
    struct trial trial = {score, answer, arena, out};
    struct error *error = arena_run(arena, run_trial, &trial);
    *score->inner = NULL;
    arena_destroy(arena);
    return error;
}

struct auto_cost auto_score_of(struct auto_score *score, const struct auto_answer *answer)
{
    uint64_t digest = auto_answer_digest(score->classes, score->mesh, answer);
    struct auto_cost *known = map_get(score->known, &digest, sizeof digest);
    if (known)
        return *known;
    if (auto_score_is_spent(score))
        return (struct auto_cost){0};
    known = ARENA_NEW(score->module->arena, struct auto_cost);
    map_put(score->known, &digest, sizeof digest, known);
    struct error *error = plan(score, answer, known);
    LOG(DEBUG, "auto-sharding: plan %d: %.6g s, %.4g GB%s%s", score->planned, known->seconds,
        (double)known->peak_bytes / 1e9, error ? ", " : "",
        error ? error_message(error, NULL) : "");
    score->planned++;
    score->budget -= auto_score_work(score->classes);
    if (error && !score->error)
        score->error = error;
    else
        error_free(error);
    return *known;
}

static uint64_t excess_of(const struct auto_score *score, struct auto_cost cost)
{
    uint64_t limit = score->planner->memory_bytes;
    return limit && cost.peak_bytes > limit ? cost.peak_bytes - limit : 0;
}

bool auto_score_fits(const struct auto_score *score, struct auto_cost cost)
{
    return cost.is_planned && !excess_of(score, cost);
}

bool auto_score_is_better(const struct auto_score *score, struct auto_cost a, struct auto_cost b)
{
    if (a.is_planned != b.is_planned || !a.is_planned)
        return a.is_planned && !b.is_planned;
    uint64_t x = excess_of(score, a), y = excess_of(score, b);
    if (x != y)
        return x < y;
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.peak_bytes < b.peak_bytes;
}
