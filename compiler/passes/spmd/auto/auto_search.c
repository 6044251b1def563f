#include "compiler/passes/spmd/auto/auto_search.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "compiler/passes/spmd/auto/auto_fit.h"
#include "compiler/passes/spmd/auto/auto_solve.h"

enum {
    CLASSES = 12, /* that are tried; those with most work */
    LEADERS = 3,  /* classes that the templates of two classes begin with */
    STARTS = 12   /* of the local search */
};

struct search {
    struct auto_score *score;
    struct auto_pool *pool;
    int axes;
    int class_count, classes[CLASSES]; /* that can take an axis; the one with most work first */
    int by_bytes[CLASSES];             /* the same; the one with most bytes of arguments first */
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

/* ---- classes --------------------------------------------------------------------------------- */
static bool can_take_any(const struct search *s, int class)
{
    const struct mesh *mesh = s->score->mesh;
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (mesh->axis_sizes[axis] > 1 &&
            s->score->classes->classes[class].unit % mesh->axis_sizes[axis] == 0)
            return true;
    return false;
}

static int compare_bytes(const void *a, const void *b, void *context)
{
    const struct auto_class *classes = context;
    int i = *(const int *)a, j = *(const int *)b;
    if (classes[i].is_moved != classes[j].is_moved)
        return classes[i].is_moved ? 1 : -1;
    if (classes[i].bytes != classes[j].bytes)
        return classes[i].bytes > classes[j].bytes ? -1 : 1;
    return i < j ? -1 : i > j;
}

static void find_classes(struct search *s)
{
    const struct auto_classes *classes = s->score->classes;
    for (int i = 0; i < classes->class_count && s->class_count < CLASSES; i++)
        if (can_take_any(s, i))
            s->classes[s->class_count++] = i;
    memcpy(s->by_bytes, s->classes, sizeof s->classes);
    qsort_r(s->by_bytes, (size_t)s->class_count, sizeof(int), compare_bytes,
            (void *)(uintptr_t)classes->classes);
}

/* ---- templates ------------------------------------------------------------------------------- */
/* Appends the class to the orders of the axes in the set. */
static void append(struct auto_answer *answer, unsigned axes, int class)
{
    for (int axis = 0; axes >> axis; axis++)
        if (axes >> axis & 1)
            auto_answer_insert(&answer->orders[axis], answer->orders[axis].count, class);
}

/* Appends all classes that arguments have, so that what is not sharded yet is. */
static void append_all(const struct search *s, struct auto_answer *answer, unsigned axes)
{
    for (int i = 0; i < s->class_count; i++)
        if (s->score->classes->classes[s->by_bytes[i]].bytes > 0)
            append(answer, axes, s->by_bytes[i]);
}

static unsigned all_axes(const struct search *s)
{
    return (1u << s->axes) - 1;
}

/* One class along all axes; *order: the classes, the one with the best such answer first. */
static void try_one_class(struct search *s, int *order)
{
    struct auto_cost costs[CLASSES];
    for (int i = 0; i < s->class_count; i++) {
        struct auto_answer answer = {0};
        append(&answer, all_axes(s), s->classes[i]);
        struct auto_cost cost = try(s, &answer, "one class");
        int at = i;
        for (; at > 0 && auto_score_is_better(s->score, cost, costs[at - 1]); at--)
            costs[at] = costs[at - 1], order[at] = order[at - 1];
        costs[at] = cost;
        order[at] = s->classes[i];
    }
}

/* Class `a` along some axes, class `b` along the others; parameters along all of them, along those
 * of `a`, or not. */
static void try_two_classes(struct search *s, int a, int b)
{
    for (unsigned first = 1; first < all_axes(s); first++) {
        struct auto_answer answer = {0};
        append(&answer, first, a);
        append(&answer, all_axes(s) & ~first, b);
        try(s, &answer, "two classes");
        struct auto_answer some = answer;
        append_all(s, &some, first);
        try(s, &some, "two classes, parameters sharded");
        append_all(s, &answer, all_axes(s));
        try(s, &answer, "two classes, parameters sharded");
    }
}

static void try_templates(struct search *s)
{
    int order[CLASSES] = {0};
    struct auto_answer none = {0};
    s->pool->replicated = (struct auto_scored){none, try(s, &none, "replicated"), "replicated"};
    try_one_class(s, order);
    for (int i = 0; i < s->class_count && i < LEADERS; i++) {
        struct auto_answer answer = {0};
        append(&answer, all_axes(s), order[i]);
        append_all(s, &answer, all_axes(s));
        try(s, &answer, "one class, parameters sharded");
    }
    int64_t half = s->score->budget / 2; /* for the local search */
    for (int i = 0; i < s->class_count && i < LEADERS; i++)
        for (int j = 0; j < s->class_count && j < LEADERS; j++)
            if (i != j && s->score->budget > half)
                try_two_classes(s, order[i], order[j]);
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
    for (int i = 0; i < s->class_count; i++) {
        for (int place = FRONT; place < PLACES; place++)
            consider_insert(c, axes, s->classes[i], place);
        consider_removal(c, axes, s->classes[i]);
    }
}

/* Any two classes instead of those along the axes of the set. */
static void consider_pairs(struct climb *c, unsigned axes)
{
    const struct search *s = c->search;
    for (int i = 0; i < s->class_count; i++)
        for (int j = 0; j < s->class_count; j++) {
            struct auto_answer answer = c->best.answer;
            for (int axis = 0; axes >> axis; axis++)
                if (axes >> axis & 1)
                    answer.orders[axis].count = 0;
            append(&answer, axes, s->classes[i]);
            append(&answer, axes, s->classes[j]);
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
    find_classes(&s);
    try_templates(&s);
    try_solved(&s);
    int count = out->count < STARTS ? out->count : STARTS;
    memcpy(starts, out->at, (size_t)count * sizeof *starts);
    for (int i = 0; i < count; i++)
        climb(&s, &starts[i]);
    if (count)
        leap(&s);
    try_savings(&s, reserve);
}
