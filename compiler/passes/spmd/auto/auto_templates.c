#include "compiler/passes/spmd/auto/auto_templates.h"

#include <stdlib.h>
#include <string.h>

#include "base/vec.h"

enum { LEADERS = 3 }; /* classes that the templates of several classes begin with */

struct templates {
    struct auto_score *score;
    const struct auto_choices *choices;
    struct auto_cost (*plan)(void *context, const struct auto_answer *, const char *name);
    void *context;
    unsigned all;                            /* axes, a bit each */
    int order[AUTO_CHOICES];                 /* the classes, those that lead first */
    int tensor_count, tensors[AUTO_CHOICES]; /* find_tensors() */
};

struct holders { /* of a class */
    VEC(int) arguments;
};

/* ---- classes --------------------------------------------------------------------------------- */
static bool can_take_any(const struct auto_score *score, int class)
{
    const struct mesh *mesh = score->mesh;
    for (int axis = 0; axis < mesh->axis_count; axis++)
        if (mesh->axis_sizes[axis] > 1 &&
            score->classes->classes[class].unit % mesh->axis_sizes[axis] == 0)
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

void auto_choices_find(const struct auto_score *score, struct auto_choices *out)
{
    const struct auto_classes *classes = score->classes;
    *out = (struct auto_choices){0};
    for (int i = 0; i < classes->class_count && out->count < AUTO_CHOICES; i++)
        if (can_take_any(score, i))
            out->classes[out->count++] = i;
    memcpy(out->by_bytes, out->classes, sizeof out->classes);
    qsort_r(out->by_bytes, (size_t)out->count, sizeof(int), compare_bytes,
            (void *)(uintptr_t)classes->classes);
}

static bool has_bytes(const struct templates *t, int class)
{
    return t->score->classes->classes[class].bytes > 0;
}

/* ---- orders ---------------------------------------------------------------------------------- */
/* Appends all classes that arguments have, so that what is not sharded yet is. */
static void append_all(const struct templates *t, struct auto_answer *answer, unsigned axes)
{
    for (int i = 0; i < t->choices->count; i++)
        if (has_bytes(t, t->choices->by_bytes[i]))
            auto_answer_append(answer, axes, t->choices->by_bytes[i]);
}

/* The choices' arguments, by the choice's place in by_bytes. Linear. */
static void find_holders(const struct templates *t, struct holders *out)
{
    const struct auto_classes *classes = t->score->classes;
    struct arena *arena = t->score->module->arena;
    int *places = ARENA_ARRAY(arena, int, (size_t)classes->class_count + 1); /* plus 1 */
    for (int i = 0; i < t->choices->count; i++)
        places[t->choices->by_bytes[i]] = i + 1;
    for (int i = 0; i < t->score->module->entry->body->argument_count; i++) {
        const struct auto_value *value =
            classes->slots[i] < 0 ? NULL : &classes->values[classes->slots[i]];
        for (int d = 0; value && d < value->rank; d++)
            if (value->classes[d] >= 0 && places[value->classes[d]])
                VEC_PUSH(arena, &out[places[value->classes[d]] - 1].arguments, i);
    }
}

/* Whether one of the arguments is not covered yet; covers all. */
static bool cover(const struct holders *holders, bool *is_covered)
{
    bool found = false;
    for (size_t i = 0; i < holders->arguments.count; i++) {
        int argument = holders->arguments.items[i];
        found |= !is_covered[argument];
        is_covered[argument] = true;
    }
    return found;
}

/* The classes that divide the arguments which `data` does not: each argument once, and not by the
 * class that most of them have (the features of the residual stream). */
static void find_tensors(struct templates *t, int data)
{
    size_t arguments = (size_t)t->score->module->entry->body->argument_count;
    bool *is_covered = ARENA_ARRAY(t->score->module->arena, bool, arguments + 1);
    struct holders holders[AUTO_CHOICES] = {{.arguments = {0}}};
    find_holders(t, holders);
    for (int i = 0; i < t->choices->count; i++)
        if (t->choices->by_bytes[i] == data)
            cover(&holders[i], is_covered);
    for (int i = 1; i < t->choices->count; i++)
        if (cover(&holders[i], is_covered))
            t->tensors[t->tensor_count++] = t->choices->by_bytes[i];
}

static void append_tensors(const struct templates *t, struct auto_answer *answer, unsigned axes)
{
    for (int i = 0; i < t->tensor_count; i++)
        auto_answer_append(answer, axes, t->tensors[i]);
}

/* Whether of the axes of equal size the set has the first ones. */
static bool is_first_choice(const struct templates *t, unsigned axes)
{
    const int64_t *sizes = t->score->mesh->axis_sizes;
    for (int a = 1; t->all >> a; a++)
        for (int b = 0; b < a; b++)
            if (sizes[a] == sizes[b] && axes >> a & 1 && !(axes >> b & 1))
                return false;
    return true;
}

/* ---- templates ------------------------------------------------------------------------------- */
/* Parameters are to be sharded, too: so what does not fit is compared by memory times time. */
static bool leads(const struct templates *t, struct auto_cost a, struct auto_cost b)
{
    bool is_open = a.is_planned && b.is_planned && !auto_score_fits(t->score, a) &&
                   !auto_score_fits(t->score, b);
    double x = a.seconds * (double)a.peak_bytes, y = b.seconds * (double)b.peak_bytes;
    return is_open && x != y ? x < y : auto_score_is_better(t->score, a, b);
}

/* One class along all axes; order[]: the classes, the one with the best such answer first. */
static void try_one_class(struct templates *t)
{
    struct auto_cost costs[AUTO_CHOICES];
    for (int i = 0; i < t->choices->count; i++) {
        struct auto_answer answer = {0};
        auto_answer_append(&answer, t->all, t->choices->classes[i]);
        struct auto_cost cost = t->plan(t->context, &answer, "one class");
        int at = i;
        for (; at > 0 && leads(t, cost, costs[at - 1]); at--)
            costs[at] = costs[at - 1], t->order[at] = t->order[at - 1];
        costs[at] = cost;
        t->order[at] = t->choices->classes[i];
    }
}

static void try_sharded(struct templates *t, int class)
{
    struct auto_answer answer = {0};
    auto_answer_append(&answer, t->all, class);
    append_all(t, &answer, t->all);
    t->plan(t->context, &answer, "one class, parameters sharded");
}

/* The first class that leads and is neither in the order nor of the parameters' features; -1: none
 * is. */
static int other_than(const struct templates *t, const struct auto_order *order, int data)
{
    for (int i = 0; i < t->choices->count; i++)
        if (t->order[i] != data && t->order[i] != t->choices->by_bytes[0] &&
            auto_answer_position(order, t->order[i]) < 0)
            return t->order[i];
    return -1;
}

/* `data` along the axes of the set, tensors along the others. */
static void try_tensor(struct templates *t, unsigned first, int data)
{
    struct auto_answer answer = {0};
    unsigned rest = t->all & ~first;
    auto_answer_append(&answer, first, data);
    append_tensors(t, &answer, rest);
    t->plan(t->context, &answer, "tensor parallelism");
    int other = other_than(t, &answer.orders[__builtin_ctz(rest)], data);
    append_all(t, &answer, first);
    t->plan(t->context, &answer, "tensor parallelism, parameters sharded");
    if (other < 0)
        return;
    auto_answer_append(&answer, rest, other);
    t->plan(t->context, &answer, "tensor parallelism, parameters and values sharded");
}

/* Class `a` along the axes of the set, class `b` along the others; parameters along all of them,
 * along those of `a`, or not. */
static void try_two_classes(struct templates *t, unsigned first, int a, int b)
{
    struct auto_answer answer = {0};
    auto_answer_append(&answer, first, a);
    auto_answer_append(&answer, t->all & ~first, b);
    t->plan(t->context, &answer, "two classes");
    struct auto_answer some = answer;
    append_all(t, &some, first);
    t->plan(t->context, &some, "two classes, parameters sharded");
    append_all(t, &answer, t->all);
    t->plan(t->context, &answer, "two classes, parameters sharded");
}

static void try_pairs(struct templates *t, int leaders)
{
    int64_t half = t->score->budget / 2; /* for the local search */
    for (int i = 0; i < leaders; i++)
        for (int j = 0; j < leaders; j++)
            for (unsigned first = 1; i != j && first < t->all; first++)
                if (is_first_choice(t, first) && t->score->budget > half)
                    try_two_classes(t, first, t->order[i], t->order[j]);
}

void auto_templates_try(struct auto_score *score, const struct auto_choices *choices,
                        struct auto_cost (*plan)(void *context, const struct auto_answer *,
                                                 const char *name),
                        void *context)
{
    struct templates t = {.score = score,
                          .choices = choices,
                          .plan = plan,
                          .context = context,
                          .all = (1u << score->mesh->axis_count) - 1};
    int leaders = choices->count < LEADERS ? choices->count : LEADERS;
    try_one_class(&t);
    if (leaders)
        find_tensors(&t, t.order[0]);
    for (int i = 0; i < leaders; i++)
        try_sharded(&t, t.order[i]);
    for (unsigned first = 0; leaders && first < t.all; first++)
        if (is_first_choice(&t, first))
            try_tensor(&t, first, t.order[0]);
    try_pairs(&t, leaders);
}
