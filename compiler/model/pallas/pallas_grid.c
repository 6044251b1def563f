/* pallas_grid.c: see pallas_grid.h. At most LOOKED_AT steps are looked at; further ones take as
 * long as those of the second half of these on average. */
#include "compiler/model/pallas/pallas_grid.h"

#include <math.h>
#include <string.h>

#include "compiler/model/pallas/pallas_body.h"

enum { LOOKED_AT = 48 };

struct copied { /* a window whose blocks are copied */
    const struct pallas_window *window;
    struct pallas_scalars scalars; /* of its index map */
    int64_t block[KERNEL_MAX_RANK], next[KERNEL_MAX_RANK];
    int rank;             /* of the block index; -1: it is not known */
    double cycles, bytes; /* of a copy */
    double arrives;       /* when the block of the next step, or this one, is there */
    double left;          /* when the last output block is in HBM */
    bool changes;         /* from this step to the next */
    bool is_known;        /* `changes` is; if not, libtpu's profiles wait for no copy */
};

struct pipeline {
    struct arena *arena;
    const struct kernel *kernel;
    struct pallas_body body;
    struct copied *copied;
    int count;
    int64_t bounds[KERNEL_MAX_RANK], index[KERNEL_MAX_RANK], next[KERNEL_MAX_RANK];
    double bytes; /* of blocks */
    struct pallas_grid *out;
};

/* ---- the grid -------------------------------------------------------------------------------- */
static bool is_parallel(enum kernel_semantics semantics)
{
    return semantics == KERNEL_PARALLEL || semantics == KERNEL_CORE_PARALLEL;
}

/* The steps of one core: cores share the first parallel dimension that has a step for each. */
static int set_bounds(struct pipeline *p, const struct accelerator *a)
{
    const struct kernel *kernel = p->kernel;
    int cores = 1;
    for (int d = 0; d < kernel->grid_rank; d++) {
        p->bounds[d] = kernel->grid[d] == KERNEL_DYNAMIC ? PALLAS_UNKNOWN_STEPS : kernel->grid[d];
        p->out->is_exact &= kernel->grid[d] != KERNEL_DYNAMIC;
        if (cores == 1 && a->cores > 1 && is_parallel(kernel->semantics[d]) &&
            p->bounds[d] >= a->cores) {
            p->bounds[d] = (p->bounds[d] + a->cores - 1) / a->cores;
            cores = a->cores;
        }
    }
    p->out->steps = 1;
    for (int d = 0; d < kernel->grid_rank; d++)
        p->out->steps *= (double)p->bounds[d];
    return cores;
}

/* The index of the step after `index`; false: it was the last. */
static bool advance(const struct pipeline *p, const int64_t *index, int64_t *next)
{
    memcpy(next, index, sizeof p->index);
    for (int d = p->kernel->grid_rank - 1; d >= 0; d--) {
        if (++next[d] < p->bounds[d])
            return true;
        next[d] = 0;
    }
    return false;
}

/* ---- blocks ---------------------------------------------------------------------------------- */
/* The block index of a step; its rank, or -1 where it depends on prefetched scalars. */
static int block_of(struct copied *c, const struct kernel *kernel, const int64_t *index,
                    int64_t *block)
{
    const struct kernel_window *window = c->window->window;
    if (!window)
        return 0;
    const struct kernel_block *body = &window->transform->body;
    for (int i = 0; i < body->argument_count; i++)
        if (i < kernel->grid_rank)
            pallas_scalars_set(&c->scalars, &body->arguments[i], index[i]);
    for (const struct kernel_op *op = body->first; op; op = op->next) {
        if (op->code == KERNEL_RETURN) {
            for (int i = 0; i < op->operand_count && i < KERNEL_MAX_RANK; i++)
                if (!pallas_scalars_get(&c->scalars, op->operands[i], &block[i]))
                    return -1;
            return op->operand_count < KERNEL_MAX_RANK ? op->operand_count : -1;
        }
        pallas_scalars_compute(&c->scalars, op);
    }
    return -1;
}

/* Whether the block of the next step is another one. *known: false if that depends on prefetched
 * scalars. */
static bool moves(struct pipeline *p, struct copied *c, bool *known)
{
    int rank = block_of(c, p->kernel, p->next, c->next);
    *known = rank >= 0 && c->rank == rank;
    if (*known)
        return memcmp(c->next, c->block, (size_t)rank * sizeof *c->next) != 0;
    for (int d = 0; d < p->kernel->grid_rank; d++)
        if (c->window->dimensions & 1u << d && p->index[d] != p->next[d])
            return true;
    return false;
}

static void start(struct pipeline *p, struct copied *c)
{
    p->bytes += c->bytes;
    c->arrives = p->body.now + c->cycles;
}

static bool is_copied(const struct pallas_window *window)
{
    bool is_array = window->role == PALLAS_INPUT || window->role == PALLAS_OUTPUT;
    return window->role == PALLAS_PREFETCH ||
           (is_array && (window->space == KERNEL_VMEM || window->space == KERNEL_SMEM));
}

static void find_copied(struct pipeline *p, const struct pallas_windows *windows)
{
    p->copied = ARENA_ARRAY(p->arena, struct copied, (size_t)windows->count + 1);
    for (int i = 0; i < windows->count; i++) {
        const struct pallas_window *window = &windows->items[i];
        if (!is_copied(window))
            continue;
        struct copied *c = &p->copied[p->count++];
        c->window = window;
        c->bytes = (double)window->bytes;
        c->cycles = pallas_body_copy_cycles(p->body.accelerator, window->space,
                                            window->role == PALLAS_OUTPUT, c->bytes);
        if (window->window)
            c->scalars = pallas_scalars(p->arena, window->window->transform);
    }
}

/* ---- steps ----------------------------------------------------------------------------------- */
static void wait_until(struct pipeline *p, double time)
{
    p->out->waited += fmax(time - p->body.now, 0);
    p->body.now = fmax(p->body.now, time);
}

/* Prefetched scalars are there before anything else begins. */
static void begin(struct pipeline *p)
{
    double scalars = 0;
    for (int i = 0; i < p->count; i++) {
        struct copied *c = &p->copied[i];
        c->rank = block_of(c, p->kernel, p->index, c->block);
        if (c->window->role == PALLAS_PREFETCH)
            start(p, c), scalars = fmax(scalars, c->arrives);
    }
    wait_until(p, scalars);
    for (int i = 0; i < p->count; i++)
        if (p->copied[i].window->role == PALLAS_INPUT && p->copied[i].arrives <= 0)
            start(p, &p->copied[i]);
}

static void finish_outputs(struct pipeline *p, bool is_last)
{
    for (int i = 0; i < p->count; i++) {
        struct copied *c = &p->copied[i];
        if (c->window->role != PALLAS_OUTPUT || !(c->changes || is_last))
            continue;
        double previous = c->left;
        p->bytes += c->bytes;
        c->left = p->body.now + c->cycles;
        wait_until(p, c->window->synchronous ? c->left : previous);
    }
    for (int i = 0; is_last && i < p->count; i++)
        wait_until(p, p->copied[i].left);
}

/* The blocks of the next step begin to be copied once those of this step are awaited, but they were
 * started before that wait. */
static void take_inputs(struct pipeline *p, bool has_next)
{
    double began = p->body.now;
    for (int i = 0; i < p->count; i++) {
        struct copied *c = &p->copied[i];
        c->changes = has_next && moves(p, c, &c->is_known);
        if (c->window->role == PALLAS_INPUT)
            wait_until(p, c->arrives);
    }
    for (int i = 0; i < p->count; i++) {
        struct copied *c = &p->copied[i];
        if (c->window->role != PALLAS_INPUT || !c->changes)
            continue;
        p->bytes += c->bytes;
        if (c->is_known)
            c->arrives = (c->window->synchronous ? p->body.now : began) + c->cycles;
    }
}

/* Of a step beside its own operations: what libtpu's profiles of steps have that copy nothing. */
static double step_cycles(const struct accelerator *a)
{
    return a->cores > 1 ? 45 : 9;
}

static void run_step(struct pipeline *p, bool has_next)
{
    struct pallas_step step = {.begin = p->body.now};
    for (int d = 0; d < p->kernel->grid_rank; d++)
        pallas_scalars_set(&p->body.scalars, &p->kernel->main->body.arguments[d], p->index[d]);
    take_inputs(p, has_next);
    step.ready = p->body.now;
    pallas_body_run(&p->body, p->kernel);
    p->body.now += p->out->steps > 1 ? step_cycles(p->body.accelerator) : 0;
    step.computed = p->body.now;
    finish_outputs(p, !has_next);
    step.end = p->body.now;
    for (int i = 0; i < p->count; i++)
        memcpy(p->copied[i].block, p->copied[i].next, sizeof p->copied[i].block);
    if (p->out->shown < PALLAS_SHOWN_STEPS)
        p->out->first[p->out->shown++] = step;
}

struct sums {
    double now, bytes, waited;
    struct pallas_body body;
};

static struct sums sums_of(const struct pipeline *p)
{
    return (struct sums){p->body.now, p->bytes, p->out->waited, p->body};
}

/* What the steps that are not looked at add, `times` as much as those since `half`. */
static void extrapolate(struct pipeline *p, const struct sums *half, double times)
{
    struct pallas_work change = p->body.total;
    pallas_work_sum(&change, &half->body.total, -1);
    p->body.now += times * (p->body.now - half->now);
    p->bytes += times * (p->bytes - half->bytes);
    p->out->waited += times * (p->out->waited - half->waited);
    p->body.copied_bytes += times * (p->body.copied_bytes - half->body.copied_bytes);
    p->body.remote_bytes += times * (p->body.remote_bytes - half->body.remote_bytes);
    pallas_work_sum(&p->body.total, &change, times);
}

static void run_steps(struct pipeline *p)
{
    struct sums half = {0};
    bool has_next = true;
    int done = 0;
    for (; has_next && done < LOOKED_AT; done++) {
        if (done == LOOKED_AT / 2)
            half = sums_of(p);
        has_next = advance(p, p->index, p->next);
        run_step(p, has_next);
        memcpy(p->index, p->next, sizeof p->index);
    }
    if (!has_next)
        return;
    extrapolate(p, &half, (p->out->steps - done) / (LOOKED_AT - LOOKED_AT / 2));
    finish_outputs(p, true);
}

struct pallas_grid pallas_grid(struct arena *arena, const struct accelerator *accelerator,
                               const struct kernel *kernel, const struct pallas_windows *windows)
{
    struct pallas_grid out = {.is_exact = true};
    struct pipeline p = {.arena = arena, .kernel = kernel, .out = &out};
    int cores = set_bounds(&p, accelerator);
    p.body = pallas_body(arena, accelerator, kernel);
    find_copied(&p, windows);
    if (out.steps > 0) {
        begin(&p);
        run_steps(&p);
    }
    out.cycles = p.body.now;
    out.is_exact &= !p.body.has_unknown_trips;
    out.waited += p.body.waited;
    out.hbm_bytes = cores * (p.bytes + p.body.copied_bytes);
    out.remote_bytes = cores * p.body.remote_bytes;
    out.flops = cores * p.body.total.flops;
    out.matrix = p.body.total.busy[PALLAS_MATRIX];
    out.vector = pallas_work_vector(&p.body.total);
    out.seconds = fmax(out.cycles / accelerator->clock_hz, out.hbm_bytes / accelerator->hbm_rate);
    return out;
}
