/* model_overlap.c: see model_overlap.h. */
#include "compiler/model/time/model_overlap.h"

#include <math.h>

#include "compiler/model/time/model_time.h"

enum { AHEAD = 32 };

struct elapsed { /* of one execution of a block */
    double seconds, serial, ideal;
};

/* ---- who waits for whom ---------------------------------------------------------------------- */
static void add_edge(struct model *model, struct model_group *producer, struct model_group *user)
{
    struct model_edge *edge = ARENA_NEW(model->arena, struct model_edge);
    *edge = (struct model_edge){user, producer->users};
    producer->users = edge;
    user->waits++;
}

/* Reads inside of regions are those of the group of the producer's block that has them. */
static void add_reads(struct model *model, const struct model_block *block,
                      struct model_group *group)
{
    for (int i = 0; i < group->read_count; i++) {
        const struct value *value = group->reads[i].value;
        struct model_group *user = group,
                           *producer = (struct model_group *)(uintptr_t)model_value(value)->group;
        const struct model_block *at = block;
        while (producer && at && at->block != producer->root->block) {
            user = at->owner;
            at = at->parent;
        }
        if (producer && at && user != producer)
            add_edge(model, producer, user);
    }
}

static void add_edges(struct model *model, struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        group->index = (int)i;
        add_reads(model, block, group);
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            add_edges(model, group->inside[k]);
    }
}

/* ---- a heap of groups ------------------------------------------------------------------------ */
struct heap {
    struct model_group **items;
    size_t count;
    bool by_time; /* when they are ready; else their order */
};

static bool is_before(const struct heap *heap, size_t a, size_t b)
{
    const struct model_group *x = heap->items[a], *y = heap->items[b];
    if (heap->by_time && x->ready != y->ready)
        return x->ready < y->ready;
    return x->index < y->index;
}

static void swap(struct heap *heap, size_t a, size_t b)
{
    struct model_group *item = heap->items[a];
    heap->items[a] = heap->items[b];
    heap->items[b] = item;
}

static void heap_push(struct heap *heap, struct model_group *group)
{
    size_t at = heap->count++;
    heap->items[at] = group;
    for (; at && is_before(heap, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(heap, at, (at - 1) / 2);
}

static struct model_group *heap_pop(struct heap *heap)
{
    struct model_group *first = heap->items[0];
    heap->items[0] = heap->items[--heap->count];
    for (size_t at = 0, next; (next = 2 * at + 1) < heap->count; at = next) {
        next += next + 1 < heap->count && is_before(heap, next + 1, next);
        if (!is_before(heap, next, at))
            break;
        swap(heap, at, next);
    }
    return first;
}

/* ---- one block ------------------------------------------------------------------------------- */
struct schedule {
    struct heap waiting, ready;      /* kernels whose operands are being made; are there */
    double now;                      /* when the last kernel is done */
    double free[MODEL_RESOURCES];    /* when each resource is done */
    VEC(struct model_group *) begun; /* asynchronous ones whose users still wait */
    struct model_group *latest;      /* the asynchronous one that is done last */
    double end;
    struct arena *arena;
};

/* When the operand that is copied from the program's begin on is there, at the memory's rate. */
static double arrival(const struct model *model, const struct model_group *group)
{
    return group->cost.ahead_bytes / model->accelerator->hbm_rate;
}

/* Begins the copies at `now`, one after another on the channel, which is done at the time that is
 * returned. */
static double begin_copies(const struct model *model, struct model_read *first, double now,
                           double channel)
{
    for (struct model_read *read = first; read; read = read->next_begun) {
        double seconds = (double)model_buffer_read(read)->bytes / model->accelerator->hbm_rate;
        channel = fmax(channel, now) + seconds;
        read->arrival = channel;
    }
    return channel;
}

/* When all that is copied for the group is there. */
static double last_arrival(const struct model *model, const struct model_group *group)
{
    double last = arrival(model, group);
    for (int i = 0; i < group->read_count; i++)
        last = fmax(last, group->reads[i].arrival);
    return last;
}

/* The group's operands have a time at which they are there. */
static void release(struct schedule *s, struct model_group *group)
{
    if (group->cost.resource == MODEL_KERNELS)
        heap_push(&s->waiting, group);
    else
        VEC_PUSH(s->arena, &s->begun, group);
}

static void finish(struct schedule *s, struct model_group *group, double end)
{
    for (const struct model_edge *edge = group->users; edge; edge = edge->next) {
        struct model_group *user = edge->user;
        if (end >= user->ready) {
            user->ready = end;
            user->late = group;
        }
        if (!--user->waits)
            release(s, user);
    }
}

static void begin_asynchronous(struct schedule *s)
{
    for (size_t i = 0; i < s->begun.count; i++) {
        struct model_group *group = s->begun.items[i];
        double *free = &s->free[group->cost.resource];
        group->start = *free > group->ready ? *free : group->ready;
        *free = group->start + group->cost.seconds;
        group->hidden = group->cost.seconds;
        if (*free > s->end)
            s->end = *free, s->latest = group;
        finish(s, group, *free);
    }
    s->begun.count = 0;
}

/* Kernels wait for this asynchronous group. */
static void stall(struct model_group *group, double seconds)
{
    if (!group || group->cost.resource == MODEL_KERNELS)
        return;
    group->hidden = group->hidden > seconds ? group->hidden - seconds : 0;
    group->waited += seconds;
}

static struct model_group *next_kernel(struct schedule *s, int oldest)
{
    while (s->waiting.count && s->waiting.items[0]->ready <= s->now)
        heap_push(&s->ready, heap_pop(&s->waiting));
    if (s->ready.count && s->ready.items[0]->index <= oldest + AHEAD)
        return heap_pop(&s->ready);
    if (!s->waiting.count)
        return s->ready.count ? heap_pop(&s->ready) : NULL;
    struct model_group *group = heap_pop(&s->waiting);
    stall(group->late, group->ready - s->now);
    s->now = group->ready;
    return group;
}

static void simulate(struct model *model, struct model_block *block, struct schedule *s)
{
    size_t count = block->groups.count;
    int oldest = 0;
    bool *done = ARENA_ARRAY(model->arena, bool, count + 1);
    s->arena = model->arena;
    s->waiting.by_time = true;
    s->waiting.items = ARENA_ARRAY(model->arena, struct model_group *, count + 1);
    s->ready.items = ARENA_ARRAY(model->arena, struct model_group *, count + 1);
    for (size_t i = 0; i < count; i++) {
        block->groups.items[i]->ready = arrival(model, block->groups.items[i]);
        if (!block->groups.items[i]->waits)
            release(s, block->groups.items[i]);
    }
    begin_asynchronous(s);
    for (struct model_group *group; (group = next_kernel(s, oldest));) {
        group->start = s->now;
        s->now += group->cost.seconds;
        done[group->index] = true;
        while (oldest < (int)count && (done[oldest] || block->groups.items[oldest]->cost.resource))
            oldest++;
        finish(s, group, s->now);
        begin_asynchronous(s);
    }
    if (s->end > s->now)
        stall(s->latest, s->end - s->now);
}

static double overlapped_seconds(struct model *model, struct model_block *block)
{
    struct schedule s = {0};
    simulate(model, block, &s);
    return s.end > s.now ? s.end : s.now;
}

static double sequential_seconds(const struct model *model, struct model_block *block)
{
    double seconds = 0, channel = begin_copies(model, block->begun, 0, 0);
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        group->start = fmax(seconds, last_arrival(model, group));
        seconds = group->start + group->cost.seconds;
        channel = begin_copies(model, group->begun, seconds, channel);
    }
    return seconds;
}

static struct elapsed elapsed_in(struct model *model, struct model_block *block);

/* The regions run one after the other. */
static struct elapsed elapsed_inside(struct model *model, const struct model_block *block,
                                     struct model_group *group)
{
    struct elapsed all = {0};
    for (int k = 0; k < group->root->region_count; k++) {
        struct elapsed one = elapsed_in(model, group->inside[k]);
        double times = group->inside[k]->times / block->times;
        all.seconds += times * one.seconds;
        all.serial += times * one.serial;
        all.ideal += times * one.ideal;
    }
    all.seconds += group->cost.copies;
    all.serial += group->cost.copies;
    all.ideal += group->cost.copies;
    group->cost.seconds = all.seconds;
    return all;
}

/* ---- kernels --------------------------------------------------------------------------------- */
struct model_kernel { /* sums of its groups */
    double matrix, vector, hbm, seconds;
};

/* The units work at the same time in all of a kernel, not only in a part. */
static bool shares_units(const struct model_group *group)
{
    enum model_bound bound = group->cost.bound;
    return !group->inside && !group->cost.is_whole && group->cost.resource == MODEL_KERNELS &&
           (bound == BOUND_COMPUTE || bound == BOUND_VECTOR || bound == BOUND_HBM);
}

static double busiest(const struct model_kernel *kernel)
{
    double seconds = kernel->matrix > kernel->vector ? kernel->matrix : kernel->vector;
    return seconds > kernel->hbm ? seconds : kernel->hbm;
}

static void price_groups(struct model *model, struct model_block *block)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        struct model_kernel *kernel = &model->kernel_sums[group->kernel];
        group->cost = model_time(model, group);
        if (!shares_units(group))
            continue;
        kernel->matrix += group->cost.compute;
        kernel->vector += group->cost.vector;
        kernel->hbm += group->cost.hbm_bytes / model->accelerator->hbm_rate;
        kernel->seconds += group->cost.seconds;
    }
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        const struct model_kernel *kernel = &model->kernel_sums[group->kernel];
        if (shares_units(group) && kernel->seconds > 0)
            group->cost.seconds *= busiest(kernel) / kernel->seconds;
        group->cost.seconds += group->cost.copies;
    }
}

static struct elapsed elapsed_in(struct model *model, struct model_block *block)
{
    price_groups(model, block);
    struct elapsed all = {0};
    double busy[MODEL_RESOURCES] = {0};
    bool asynchronous = false;
    for (size_t i = 0; i < block->groups.count; i++) {
        struct model_group *group = block->groups.items[i];
        struct elapsed one = {group->cost.seconds, group->cost.seconds, group->cost.seconds};
        if (group->inside)
            one = elapsed_inside(model, block, group);
        all.serial = fmax(all.serial, arrival(model, group)) + one.serial;
        double *used = &busy[group->cost.resource];
        *used = fmax(*used, arrival(model, group)) + one.ideal;
        asynchronous |= group->cost.resource != MODEL_KERNELS;
    }
    for (int i = 0; i < MODEL_RESOURCES; i++)
        all.ideal = busy[i] > all.ideal ? busy[i] : all.ideal;
    all.seconds =
        asynchronous ? overlapped_seconds(model, block) : sequential_seconds(model, block);
    return all;
}

void model_overlap(struct model *model, struct model_plan *plan)
{
    add_edges(model, model->entry);
    model->kernel_sums = ARENA_ARRAY(model->arena, struct model_kernel, (size_t)model->kernels + 1);
    struct elapsed all = elapsed_in(model, model->entry);
    plan->seconds = all.seconds;
    plan->serial_seconds = all.serial;
    plan->ideal_seconds = all.ideal;
}
