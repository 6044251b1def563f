#include "compiler/passes/spmd/auto/auto_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "compiler/passes/spmd/auto/auto_fit.h"
#include "compiler/passes/spmd/auto/auto_solve.h"
#include "compiler/passes/spmd/auto/auto_templates.h"

enum { STARTS = 12 }; /* of the local search */

struct search {
    struct auto_score *score;
    struct auto_pool *pool;
    int axes;
    struct auto_choices choices;
};

/* ---- the pool -------------------------------------------------------------------------------- */
static bool same_cost(struct auto_cost a, struct auto_cost b)
{
    return a.seconds == b.seconds && a.peak_bytes == b.peak_bytes;
}

/* Plans the answer and puts it into the pool, unless there is one of equal cost. */
static struct auto_cost try(struct search *s, const struct auto_answer *answer, const char *name)
{
    struct auto_pool *pool = s->pool;
    struct auto_cost cost = auto_score_of(s->score, answer);
    int at = pool->count;
    if (!cost.is_planned)
        return cost;
    for (int i = 0; i < pool->count; i++)
        if (same_cost(pool->at[i].cost, cost))
            return cost;
    while (at > 0 && auto_score_is_better(s->score, cost, pool->at[at - 1].cost))
        at--;
    if (at == AUTO_POOL)
        return cost;
    int moved = pool->count - at - (pool->count == AUTO_POOL);
    memmove(&pool->at[at + 1], &pool->at[at], (size_t)moved * sizeof *pool->at);
    pool->at[at] = (struct auto_scored){*answer, cost, name};
    pool->count += pool->count < AUTO_POOL;
    return cost;
}

static struct auto_cost plan_template(void *context, const struct auto_answer *answer,
                                      const char *name)
{
    return try(context, answer, name);
}

static unsigned all_axes(const struct search *s)
{
    return (1u << s->axes) - 1;
}

/* ---- local search ---------------------------------------------------------------------------- */
struct climb {
    struct search *search;
    struct auto_scored best;
    bool improved;
};

static void consider(struct climb *c, const struct auto_answer *answer)
{
    struct auto_cost cost = try(c->search, answer, "local search");
    if (!auto_score_is_better(c->search->score, cost, c->best.cost))
        return;
    c->best.answer = *answer;
    c->best.cost = cost;
    c->improved = true;
}

enum { FRONT, SECOND, BACK, PLACES };

static int place_in(const struct auto_order *order, int place)
{
    return place == BACK || place > order->count ? order->count : place;
}

/* The class before, among or behind the classes along the axes of the set. */
static void consider_insert(struct climb *c, unsigned axes, int class, int place)
{
    struct auto_answer answer = c->best.answer;
    bool changed = false;
    for (int axis = 0; axes >> axis; axis++) {
        struct auto_order *order = &answer.orders[axis];
        if (!(axes >> axis & 1))
            continue;
        int at = auto_answer_position(order, class);
        if (at >= 0)
            auto_answer_remove(order, at);
        changed |= auto_answer_insert(order, place_in(order, place), class);
    }
    if (changed)
        consider(c, &answer);
}

static void consider_removal(struct climb *c, unsigned axes, int class)
{
    struct auto_answer answer = c->best.answer;
    bool changed = false;
    for (int axis = 0; axes >> axis; axis++) {
        int at = axes >> axis & 1 ? auto_answer_position(&answer.orders[axis], class) : -1;
        if (at >= 0)
            auto_answer_remove(&answer.orders[axis], at);
        changed |= at >= 0;
    }
    if (changed)
        consider(c, &answer);
}

static void consider_axes(struct climb *c, unsigned axes)
{
    const struct search *s = c->search;
    for (int i = 0; i < s->choices.count; i++) {
        for (int place = FRONT; place < PLACES; place++)
            consider_insert(c, axes, s->choices.classes[i], place);
        consider_removal(c, axes, s->choices.classes[i]);
    }
}

/* Any two classes instead of those along the axes of the set. */
static void consider_pairs(struct climb *c, unsigned axes)
{
    const struct search *s = c->search;
    for (int i = 0; i < s->choices.count; i++)
        for (int j = 0; j < s->choices.count; j++) {
            struct auto_answer answer = c->best.answer;
            for (int axis = 0; axes >> axis; axis++)
                if (axes >> axis & 1)
                    answer.orders[axis].count = 0;
            auto_answer_append(&answer, axes, s->choices.classes[i]);
            auto_answer_append(&answer, axes, s->choices.classes[j]);
            consider(c, &answer);
        }
}

static void consider_swaps(struct climb *c)
{
    for (int a = 0; a < c->search->axes; a++)
        for (int b = 0; b < a; b++) {
            struct auto_answer answer = c->best.answer;
            answer.orders[a] = c->best.answer.orders[b];
            answer.orders[b] = c->best.answer.orders[a];
            consider(c, &answer);
        }
}

static void consider_sparse(struct climb *c)
{
    struct auto_answer answer = c->best.answer;
    answer.is_sparse = !answer.is_sparse;
    consider(c, &answer);
}

static void climb(struct search *s, const struct auto_scored *start)
{
    struct climb c = {s, *start, true};
    while (c.improved && !auto_score_is_spent(s->score)) {
        c.improved = false;
        consider_axes(&c, all_axes(s));
        for (int axis = 0; s->axes > 1 && axis < s->axes; axis++)
            consider_axes(&c, 1u << axis);
        consider_swaps(&c);
        consider_sparse(&c);
    }
}

/* From the best answer of all, with larger changes, as long as one leads to a better one. */
static void leap(struct search *s)
{
    struct climb c = {s, s->pool->at[0], true};
    while (c.improved && !auto_score_is_spent(s->score)) {
        c.improved = false;
        for (int axis = 0; axis < s->axes; axis++)
            consider_pairs(&c, 1u << axis);
        if (c.improved)
            climb(s, &c.best);
        c.best = s->pool->at[0];
    }
}

/* ---- the integer program --------------------------------------------------------------------- */
static struct auto_cost plan_solved(void *context, const struct auto_answer *answer)
{
    return try(context, answer, "integer program");
}

static void try_solved(struct search *s)
{
    struct auto_solved solved;
    if (!s->score->planner->prices || !s->pool->count)
        return;
    struct error *error = auto_solve_run(s->score, &s->pool->at[0].answer,
                                         s->pool->at[0].cost.peak_bytes, plan_solved, s, &solved);
    s->pool->program_nodes = solved.nodes;
    s->pool->program_seconds = solved.cost;
    s->pool->bound_seconds = solved.bound;
    LOG(DEBUG, "auto-sharding: %s", error ? error_message(error, NULL) : "solved");
    error_free(error);
}

/* ---- less memory ----------------------------------------------------------------------------- */
static struct auto_cost plan_saving(void *context, const struct auto_answer *answer)
{
    return try(context, answer, "idle values recomputed or offloaded");
}

/* With a part of the budget of its own. */
static void try_savings(struct search *s, int64_t budget)
{
    int64_t left = s->score->budget;
    s->score->budget = left > 0 ? left + budget : budget;
    auto_fit_run(s->score, s->pool->count, s->pool->at, plan_saving, s);
    if (left <= 0) /* the search was cut short */
        s->score->budget = left;
}

void auto_search_run(struct auto_score *score, struct auto_pool *out)
{
    struct search s = {.score = score, .pool = out, .axes = score->mesh->axis_count};
    struct auto_scored starts[STARTS];
    int64_t reserve = score->budget / 4;
    score->budget -= reserve;
    *out = (struct auto_pool){0};
    auto_choices_find(score, &s.choices);
    out->replicated.name = "replicated";
    out->replicated.cost = plan_template(&s, &out->replicated.answer, "replicated");
    auto_templates_try(score, &s.choices, plan_template, &s);
    try_solved(&s);
    int count = out->count < STARTS ? out->count : STARTS;
    memcpy(starts, out->at, (size_t)count * sizeof *starts);
    for (int i = 0; i < count; i++)
        climb(&s, &starts[i]);
    if (count)
        leap(&s);
    try_savings(&s, reserve);
}
