#include "compiler/passes/spmd/auto/auto_fit.h"

#include <math.h>
#include <stdlib.h>

enum {
    STARTS = 4,  /* answers that are made to fit */
    ATTEMPTS = 4 /* of each way to */
};

/* GAINS: what takes less time to compute again than to write and read. */
enum way { GAINS, CHEAPEST, RECOMPUTES, OFFLOADS, WAYS };

struct offer { /* a candidate in one answer */
    int index;
    enum auto_saving saving;
    double bytes, seconds; /* of a device */
};

struct fitter {
    struct auto_score *score;
    struct arena *arena;
    struct auto_cost (*plan)(void *context, const struct auto_answer *);
    void *context;
    struct auto_candidates candidates;
    struct offer *offers; /* as many as candidates */
};

/* ---- offers ---------------------------------------------------------------------------------- */
/* False: the candidate cannot be saved that way. */
static bool make_offer(const struct fitter *f, const struct auto_answer *answer, int index,
                       enum way way, struct offer *out)
{
    const struct auto_candidate *candidate = &f->candidates.at[index];
    const struct auto_prices *prices = f->score->planner->prices;
    if (candidate->number < 0)
        return false;
    double shards =
        auto_answer_shards(f->score->classes, f->score->mesh, answer, candidate->number);
    double bytes = candidate->bytes / shards; /* need not be written and read if recomputed */
    double again = candidate->multiply_adds / shards / prices->multiply_adds +
                   (candidate->traffic / shards - 2 * bytes) / prices->bytes;
    bool can_recompute = candidate->can_recompute && way != OFFLOADS;
    bool can_offload = prices->host_bytes > 0 && way != RECOMPUTES;
    double copies = can_offload ? 2 * bytes / prices->host_bytes : 0;
    bool recomputes = can_recompute && (!can_offload || again <= copies);
    if (!can_recompute && !can_offload)
        return false;
    if (way == GAINS && !(can_recompute && again < 0))
        return false;
    *out = (struct offer){index, recomputes ? AUTO_RECOMPUTED : AUTO_OFFLOADED, bytes,
                          recomputes ? again : copies};
    return true;
}

static int compare_offers(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    double p = x->seconds * y->bytes, q = y->seconds * x->bytes; /* seconds / bytes */
    if (p != q)
        return p < q ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static int make_offers(struct fitter *f, const struct auto_answer *answer, enum way way)
{
    int count = 0;
    for (int i = 0; i < f->candidates.count; i++)
        count += make_offer(f, answer, i, way, &f->offers[count]);
    if (count)
        qsort(f->offers, (size_t)count, sizeof *f->offers, compare_offers);
    return count;
}

/* ---- answers --------------------------------------------------------------------------------- */
/* The answer with the cheapest offers that save `bytes` together. *taken: how many they are. */
static struct auto_answer save(struct fitter *f, const struct auto_answer *answer, int count,
                               double bytes, int *taken)
{
    struct auto_answer out = *answer;
    uint8_t *at = ARENA_ARRAY(f->arena, uint8_t, (size_t)f->candidates.count + 1);
    double saved = 0;
    for (*taken = 0; *taken < count && saved < bytes; ++*taken) {
        at[f->offers[*taken].index] = (uint8_t)f->offers[*taken].saving;
        saved += f->offers[*taken].bytes;
    }
    struct auto_savings *savings = ARENA_NEW(f->arena, struct auto_savings);
    *savings = (struct auto_savings){f->candidates.count, at};
    out.savings = savings;
    return out;
}

static double excess_of(const struct fitter *f, struct auto_cost cost)
{
    double limit = (double)f->score->planner->memory_bytes;
    return (double)cost.peak_bytes > limit ? (double)cost.peak_bytes - limit : 0;
}

static void make_fit(struct fitter *f, const struct auto_scored *start, enum way way)
{
    int count = make_offers(f, &start->answer, way), taken = 0, before = 0;
    double bytes = excess_of(f, start->cost);
    for (int attempt = 0; attempt < ATTEMPTS && before < count; attempt++) {
        struct auto_answer answer = save(f, &start->answer, count, bytes, &taken);
        if (taken == before)
            return;
        struct auto_cost cost = f->plan(f->context, &answer);
        if (!cost.is_planned || !excess_of(f, cost))
            return;
        bytes += attempt + 2 < ATTEMPTS ? excess_of(f, cost) : (double)start->cost.peak_bytes;
        before = taken;
    }
}

/* Whether or not the memory is tight. */
static void try_gains(struct fitter *f, const struct auto_scored *start)
{
    int count = make_offers(f, &start->answer, GAINS), taken;
    if (!count)
        return;
    struct auto_answer answer = save(f, &start->answer, count, INFINITY, &taken);
    f->plan(f->context, &answer);
}

/* ---- starts ---------------------------------------------------------------------------------- */
static int compare_seconds(const void *a, const void *b)
{
    const struct auto_scored *const *x = a, *const *y = b;
    if ((*x)->cost.seconds != (*y)->cost.seconds)
        return (*x)->cost.seconds < (*y)->cost.seconds ? -1 : 1;
    return *x < *y ? -1 : *x > *y; /* of one array */
}

/* The answers that do not fit and are faster than the best one that does; the fastest first. */
static int find_starts(const struct fitter *f, int count, const struct auto_scored *pool,
                       const struct auto_scored **out)
{
    bool fits = auto_score_fits(f->score, pool[0].cost);
    int starts = 0;
    for (int i = 0; i < count; i++)
        if (!auto_score_fits(f->score, pool[i].cost) && !pool[i].answer.savings &&
            (!fits || pool[i].cost.seconds < pool[0].cost.seconds))
            out[starts++] = &pool[i];
    if (starts)
        qsort(out, (size_t)starts, sizeof *out, compare_seconds);
    return starts < STARTS ? starts : STARTS;
}

void auto_fit_run(struct auto_score *score, int count, const struct auto_scored *pool,
                  struct auto_cost (*plan)(void *context, const struct auto_answer *),
                  void *context)
{
    struct fitter f = {
        .score = score, .arena = score->module->arena, .plan = plan, .context = context};
    struct auto_scored *copies = ARENA_ARRAY(f.arena, struct auto_scored, (size_t)count + 1);
    const struct auto_scored **starts =
        ARENA_ARRAY(f.arena, const struct auto_scored *, (size_t)count + 1);
    if (!score->planner->prices || !count)
        return;
    for (int i = 0; i < count; i++) /* `plan` changes the pool */
        copies[i] = pool[i];
    auto_savings_find(f.arena, score->module, score->classes, &f.candidates);
    f.offers = ARENA_ARRAY(f.arena, struct offer, (size_t)f.candidates.count + 1);
    try_gains(&f, &copies[0]);
    count = score->planner->memory_bytes ? find_starts(&f, count, copies, starts) : 0;
    for (int i = 0; i < count; i++)
        try_gains(&f, starts[i]);
    for (int i = 0; i < count; i++)
        for (enum way way = CHEAPEST; way < WAYS; way++)
            make_fit(&f, starts[i], way);
}
