#include "compiler/passes/spmd/auto/auto_explain.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct explainer {
    struct auto_score *score;
    const struct auto_pool *pool;
    struct auto_groups groups;
    struct auto_plan *out;
};

/* ---- rows ------------------------------------------------------------------------------------ */
/* "two classes; x divides 256; y divides 4096, 1024": the sizes of dimensions, not of shards. */
static void name_answer(const struct explainer *e, const struct auto_scored *scored, char *out,
                        size_t size)
{
    const struct auto_classes *classes = e->score->classes;
    int at = snprintf(out, size, "%s", scored->name);
    for (int axis = 0; axis < e->score->mesh->axis_count && !scored->answer.placements; axis++) {
        const struct auto_order *order = &scored->answer.orders[axis];
        for (int i = 0; i < order->count && at < (int)size - 32; i++)
            at += snprintf(out + at, size - (size_t)at, "%s%.8s%s%" PRId64, i ? ", " : "; ",
                           i ? "" : e->score->mesh->axis_names[axis], i ? "" : " divides ",
                           classes->classes[order->at[i]].unit);
    }
}

static void add_row(struct explainer *e, const struct auto_scored *scored)
{
    struct auto_plan *out = e->out;
    if (out->row_count == AUTO_PLAN_ROWS || !scored->cost.is_planned)
        return;
    struct auto_plan_row *row = &out->rows[out->row_count++];
    name_answer(e, scored, row->name, sizeof row->name);
    row->seconds = scored->cost.seconds;
    row->peak_bytes = scored->cost.peak_bytes;
}

/* The best answer, and the two best of each other name. */
static void add_rows(struct explainer *e)
{
    enum { EACH = 2 };
    add_row(e, &e->pool->at[0]);
    for (int i = 1; i < e->pool->count; i++) {
        int before = 0;
        for (int k = 0; k < i; k++)
            before += e->pool->at[k].name == e->pool->at[i].name;
        if (before < EACH && e->pool->at[i].name != e->pool->replicated.name)
            add_row(e, &e->pool->at[i]);
    }
    add_row(e, &e->pool->replicated);
}

/* ---- changes --------------------------------------------------------------------------------- */
struct candidate { /* a group that arguments are of */
    int group, argument;
    double bytes;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return x->argument < y->argument ? -1 : x->argument > y->argument;
}

/* Groups of arguments, with the bytes of all of these; the largest first. */
static int find_candidates(const struct explainer *e, struct candidate *out)
{
    const struct auto_classes *classes = e->score->classes;
    const struct block *body = e->score->module->entry->body;
    int count = 0;
    int *known = ARENA_ARRAY(e->score->module->arena, int, (size_t)e->groups.count + 1);
    for (int i = 0; i < body->argument_count; i++) {
        int value = classes->slots[i];
        if (value < 0 || classes->values[value].is_fixed)
            continue;
        int group = e->groups.of[value];
        if (!known[group]) {
            out[count] = (struct candidate){group, i, 0};
            known[group] = ++count;
        }
        out[known[group] - 1].bytes += (double)type_bytes(body->arguments[i].type);
    }
    qsort(out, (size_t)count, sizeof *out, compare_candidates);
    return count;
}

/* The best answer with another placement of the group's values. */
static struct auto_answer changed_answer(const struct explainer *e, int group,
                                         const struct auto_placement *placement)
{
    const struct auto_score *score = e->score;
    struct auto_placement *all = ARENA_ARRAY(score->module->arena, struct auto_placement,
                                             (size_t)score->classes->value_count + 1);
    for (int i = 0; i < score->classes->value_count; i++)
        all[i] = e->groups.of[i] == group
                     ? *placement
                     : auto_answer_place(score->classes, score->mesh, &e->pool->at[0].answer, i);
    return (struct auto_answer){.placements = all, .savings = e->pool->at[0].answer.savings};
}

static void add_change(struct explainer *e, const struct candidate *candidate,
                       const struct auto_placement *placement, const char *what)
{
    struct auto_answer answer = changed_answer(e, candidate->group, placement);
    struct auto_cost cost = auto_score_of(e->score, &answer);
    if (!cost.is_planned || e->out->change_count == AUTO_PLAN_CHANGES)
        return;
    struct auto_plan_row *row = &e->out->changes[e->out->change_count++];
    snprintf(row->name, sizeof row->name, "argument %d and values sharded like it: %s",
             candidate->argument, what);
    row->seconds = cost.seconds;
    row->peak_bytes = cost.peak_bytes;
}

static void try_changes(struct explainer *e, const struct candidate *candidate)
{
    const struct auto_score *score = e->score;
    const struct auto_strategies *strategies = &e->groups.at[candidate->group].strategies;
    int value = e->groups.at[candidate->group].value, most = 0;
    struct auto_placement now =
        auto_answer_place(score->classes, score->mesh, &e->pool->at[0].answer, value);
    bool is_sharded = false;
    for (int axis = 0; axis < score->mesh->axis_count; axis++)
        is_sharded |= now.dims[axis] >= 0;
    for (int s = 0; s < strategies->count; s++)
        if (strategies->shards[s] > strategies->shards[most])
            most = s;
    if (is_sharded)
        add_change(e, candidate, &strategies->at[0], "replicated");
    else if (most)
        add_change(e, candidate, &strategies->at[most], "sharded as much as can be");
}

static void add_changes(struct explainer *e)
{
    enum { GROUPS = 6 };
    const struct auto_score *score = e->score;
    size_t arguments = (size_t)score->module->entry->body->argument_count + 1;
    struct candidate *candidates = ARENA_ARRAY(score->module->arena, struct candidate, arguments);
    auto_groups_find(score->module->arena, score->classes, score->mesh, &e->groups);
    int count = find_candidates(e, candidates);
    e->score->budget = GROUPS * auto_score_work(score->classes);
    for (int i = 0; i < count && i < GROUPS; i++)
        try_changes(e, &candidates[i]);
}

/* ---- savings --------------------------------------------------------------------------------- */
static int compare_savings(const void *a, const void *b)
{
    const struct auto_plan_saving *x = a, *y = b;
    return x->bytes != y->bytes ? (x->bytes > y->bytes ? -1 : 1) : strcmp(x->what, y->what);
}

static struct auto_plan_saving saving_of(const struct explainer *e,
                                         const struct auto_candidate *candidate, uint8_t saving)
{
    const struct auto_score *score = e->score;
    struct arena *arena = arena_scratch(score->module->arena);
    double shards = candidate->number < 0
                        ? 1
                        : auto_answer_shards(score->classes, score->mesh, &e->pool->at[0].answer,
                                             candidate->number);
    struct auto_plan_saving out = {.is_offloaded = saving == AUTO_OFFLOADED,
                                   .bytes = (uint64_t)(candidate->bytes / shards)};
    snprintf(out.what, sizeof out.what, "%s %s", type_text(arena, candidate->type),
             ir_where(arena, candidate->maker));
    return out;
}

static void add_savings(struct explainer *e)
{
    const struct auto_savings *savings = e->pool->at[0].answer.savings;
    struct arena *arena = arena_scratch(e->score->module->arena);
    struct auto_candidates candidates;
    int count = 0;
    if (!savings)
        return;
    auto_savings_find(arena, e->score->module, e->score->classes, &candidates);
    struct auto_plan_saving *all =
        ARENA_ARRAY(arena, struct auto_plan_saving, (size_t)candidates.count + 1);
    for (int i = 0; i < candidates.count && i < savings->count; i++)
        if (savings->at[i] != AUTO_STAYS)
            all[count++] = saving_of(e, &candidates.at[i], savings->at[i]);
    qsort(all, (size_t)count, sizeof *all, compare_savings);
    e->out->saving_count = count < AUTO_PLAN_SAVINGS ? count : AUTO_PLAN_SAVINGS;
    memcpy(e->out->savings, all, (size_t)e->out->saving_count * sizeof *all);
}

struct auto_plan *auto_explain_make(struct auto_score *score, const struct auto_pool *pool)
{
    struct explainer e = {score, pool, {0}, ARENA_NEW(score->module->arena, struct auto_plan)};
    e.out->planned = score->planned;
    e.out->was_cut = auto_score_is_spent(score);
    e.out->memory_bytes = score->planner->memory_bytes;
    e.out->program_nodes = pool->program_nodes;
    e.out->program_seconds = pool->program_seconds;
    e.out->bound_seconds = pool->bound_seconds;
    add_rows(&e);
    add_savings(&e);
    if (score->planner->explains)
        add_changes(&e);
    return e.out;
}
