/* model_report.c: see model_report.h. */
#include "compiler/model/model_report.h"

#include <stdlib.h>
#include <string.h>

#include "base/map.h"
#include "compiler/model/kernels/model_narrow.h"
#include "compiler/model/links/model_collectives.h"
#include "compiler/model/pallas/model_pallas.h"
#include "compiler/model/units/model_occupancy.h"
#include "compiler/tiled_shape.h"

enum { LARGEST = 16, MAX_OPERATIONS = 65536 };
/* Operations of a chunk, which arena_release() frees. */
enum { CHUNK = ARENA_RELEASED / sizeof(struct model_operation) + 1 };

/* Four of five programs of the calibration set (docs/tpu-model.md) are between these, of what
 * overlaps as it best could and not at all. */
#define FASTER 0.7
#define SLOWER 1.4

struct report {
    const struct model *model;
    struct arena *step; /* for texts that are copied at once */
    struct model_plan *plan;
    size_t operation_count, operation_capacity;
    VEC(struct model_operation *) operations; /* chunks, each freed when it is in the plan */
    VEC(struct model_loop) loops;
    VEC(struct model_largest) largest;
    VEC(struct model_pallas) pallas;
    VEC(struct model_pallas_window) windows;
    VEC(struct model_pallas_step) steps;
    VEC(char) text;
};

/* ---- texts ----------------------------------------------------------------------------------- */
static uint64_t add_text(struct report *r, const char *text)
{
    uint64_t offset = r->text.count;
    for (const char *c = text;; c++) {
        VEC_PUSH(r->model->arena, &r->text, *c);
        if (!*c)
            return offset;
    }
}

static const char *label_with(struct arena *arena, const char *name, const struct location *at)
{
    if (!at || (!at->name && !at->file))
        return name;
    if (!at->file)
        return arena_format(arena, "%s: %s", name, at->name);
    return arena_format(arena, "%s: %s (%s:%d)", name, at->name ? at->name : "", at->file,
                        at->line);
}

static const char *label_of(struct arena *arena, const struct op *op)
{
    return label_with(arena, op_info(op->code)->name, op->location);
}

/* A Pallas kernel has its own name, as in the accelerator's profiles. */
static const char *operation_label(struct arena *arena, const struct op *op,
                                   const struct model_pallas_cost *pallas)
{
    const char *name = pallas ? pallas->call->kernel->name : NULL;
    return name && *name ? label_with(arena, name, op->location) : label_of(arena, op);
}

static uint64_t add_shape(struct report *r, const struct shape *shape)
{
    struct text text = {0};
    tiled_shape_print(r->model->accelerator, shape, &text);
    uint64_t offset = add_text(r, text.data ? text.data : "");
    text_free(&text);
    return offset;
}

/* ---- operations ------------------------------------------------------------------------------ */
static size_t count_operations(const struct model_block *block)
{
    size_t count = 0;
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        for (int k = 0; group->inside && k < group->root->region_count; k++)
            count += count_operations(group->inside[k]);
        count += !group->inside;
    }
    return count < MAX_OPERATIONS ? count : MAX_OPERATIONS;
}

static size_t chunk_size(const struct report *r, size_t chunk)
{
    size_t left = r->operation_capacity - chunk * CHUNK;
    return left < CHUNK ? left : CHUNK;
}

static void push_operation(struct report *r, const struct model_operation *operation)
{
    size_t chunk = r->operation_count / CHUNK;
    if (chunk == r->operations.count)
        VEC_PUSH(r->model->arena, &r->operations,
                 ARENA_ARRAY(r->model->arena, struct model_operation, chunk_size(r, chunk)));
    r->operations.items[chunk][r->operation_count++ % CHUNK] = *operation;
}

static double hbm_bytes(const struct model_cost *cost)
{
    return cost->hbm_bytes + cost->ahead_bytes + cost->beside_bytes + cost->copy_bytes;
}

/* `begin`: of the block in an iteration of its loop. */
static void add_operation(struct report *r, const struct model_block *block,
                          const struct model_group *group, double begin, int64_t loop)
{
    const struct model_cost *cost = &group->cost;
    double times = block->times;
    struct model_pallas_cost *pallas =
        model_pallas_find(r->model->pallas, r->model->module, group->root);
    if (pallas)
        pallas->times += times;
    struct model_operation operation = {.bound = cost->bound,
                                        .times = times,
                                        .seconds = times * cost->seconds,
                                        .hidden = times * group->hidden,
                                        .waited = times * group->waited,
                                        .flops = times * cost->flops,
                                        .hbm_bytes = times * hbm_bytes(cost),
                                        .host_bytes = times * cost->host_bytes,
                                        .link_bytes = times * cost->link_bytes,
                                        .begin = begin + group->start,
                                        .loop = loop,
                                        .resource = cost->resource,
                                        .pallas = pallas ? pallas->number : 0,
                                        .matrix = times * cost->compute,
                                        .vector = times * cost->vector,
                                        .links = times * cost->links};
    operation.hbm = operation.hbm_bytes / r->model->accelerator->hbm_rate;
    operation.host =
        operation.host_bytes > 0 ? operation.host_bytes / r->model->accelerator->host_rate : 0;
    r->plan->flops += operation.flops;
    r->plan->hbm_bytes += operation.hbm_bytes;
    r->plan->host_bytes += operation.host_bytes;
    r->plan->link_bytes += operation.link_bytes;
    r->plan->hidden_seconds += operation.hidden;
    r->plan->host_seconds += operation.host;
    r->plan->link_seconds += times * cost->links;
    if (r->operation_count == r->operation_capacity)
        return;
    operation.label = add_text(r, operation_label(r->step, group->root, pallas));
    push_operation(r, &operation);
}

/* Seconds of one iteration of the group's region `k`. */
static double region_seconds(const struct model_group *group, int k)
{
    const struct model_block *block = group->inside[k];
    double end = 0;
    for (size_t i = 0; i < block->groups.count; i++) {
        double done = block->groups.items[i]->start + block->groups.items[i]->cost.seconds;
        end = done > end ? done : end;
    }
    return end;
}

/* Returns the number of the loop: index + 1; of the one around it when there are too many. */
static int64_t add_loop(struct report *r, const struct model_block *block,
                        const struct model_group *group, double begin, int64_t outer)
{
    struct model_loop loop = {.loop = outer, .begin = begin + group->start, .trips = 1};
    if (r->loops.count == MAX_OPERATIONS)
        return outer;
    for (int k = 0; k < group->root->region_count; k++) {
        loop.seconds += region_seconds(group, k);
        loop.trips = group->inside[k]->times / block->times;
    }
    loop.label = add_text(r, label_of(r->step, group->root));
    VEC_PUSH(r->model->arena, &r->loops, loop);
    return (int64_t)r->loops.count;
}

static void add_operations(struct report *r, const struct model_block *block, double begin,
                           int64_t loop)
{
    for (size_t i = 0; i < block->groups.count; i++) {
        const struct model_group *group = block->groups.items[i];
        if (!group->inside) {
            add_operation(r, block, group, begin, loop);
            continue;
        }
        r->plan->hbm_bytes += block->times * hbm_bytes(&group->cost);
        int64_t inner = add_loop(r, block, group, begin, loop);
        double at = inner == loop ? begin + group->start : 0;
        for (int k = 0; k < group->root->region_count; k++) {
            add_operations(r, group->inside[k], at, inner);
            at += region_seconds(group, k);
        }
    }
}

/* ---- the largest temporaries ----------------------------------------------------------------- */
static bool is_in_hbm(const struct model_buffer *buffer)
{
    return !buffer->same && buffer->storage == MODEL_TEMPORARY && !buffer->in_vmem &&
           !buffer->in_result && buffer->memory == MEMORY_DEVICE && buffer->bytes;
}

/* The position at which most bytes are in use. */
static int64_t peak_of(const struct model *model, struct arena *step)
{
    size_t count = (size_t)model->positions + 1;
    int64_t *change = ARENA_ARRAY(step, int64_t, count), live = 0, most = -1, at = 0;
    for (size_t i = 0; i < model->buffers.count; i++) {
        const struct model_buffer *buffer = model->buffers.items[i];
        if (!is_in_hbm(buffer))
            continue;
        change[buffer->first] += (int64_t)buffer->bytes;
        change[buffer->last + 1] -= (int64_t)buffer->bytes;
    }
    for (int64_t i = 0; i < model->positions; i++) {
        live += change[i];
        if (live > most)
            most = live, at = i;
    }
    return at;
}

static int compare(const void *left, const void *right)
{
    const struct model_buffer *x = *(struct model_buffer *const *)left,
                              *y = *(struct model_buffer *const *)right;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void add_largest_value(struct report *r, const struct model_buffer *buffer)
{
    const struct value *value = buffer->value;
    const struct op *op = value->def ? value->def : value->block->owner;
    struct shape shape = model_narrow_shape(r->model, value);
    struct model_largest largest = {.label = add_text(r, op ? label_of(r->step, op) : "argument"),
                                    .shape = add_shape(r, &shape),
                                    .bytes = buffer->bytes,
                                    .unpadded_bytes = (uint64_t)tiled_shape_unpadded(&shape)};
    VEC_PUSH(r->model->arena, &r->largest, largest);
}

static void add_largest(struct report *r)
{
    const struct model *model = r->model;
    int64_t at = peak_of(model, r->step);
    size_t count = 0;
    const struct model_buffer **live =
        ARENA_ARRAY(r->step, const struct model_buffer *, model->buffers.count + 1);
    for (size_t i = 0; i < model->buffers.count; i++) {
        const struct model_buffer *buffer = model->buffers.items[i];
        if (is_in_hbm(buffer) && buffer->first <= at && buffer->last >= at)
            live[count++] = buffer;
    }
    if (count)
        qsort(live, count, sizeof *live, compare);
    for (size_t i = 0; i < count && i < LARGEST; i++)
        add_largest_value(r, live[i]);
}

/* ---- Pallas kernels -------------------------------------------------------------------------- */
static uint64_t add_windows(struct report *r, const struct pallas_windows *windows)
{
    uint64_t count = 0;
    for (int i = 0; i < windows->count; i++) {
        const struct pallas_window *window = &windows->items[i];
        bool in_vmem = window->space == KERNEL_VMEM;
        if (!in_vmem && window->space != KERNEL_SMEM)
            continue;
        struct model_pallas_window item = {.label =
                                               add_text(r, model_pallas_label(r->step, window)),
                                           .bytes = window->bytes,
                                           .buffers = window->buffers,
                                           .in_vmem = in_vmem};
        VEC_PUSH(r->model->arena, &r->windows, item);
        count++;
    }
    return count;
}

static uint64_t add_steps(struct report *r, const struct pallas_grid *grid)
{
    for (int i = 0; i < grid->shown; i++) {
        const struct pallas_step *step = &grid->first[i];
        VEC_PUSH(r->model->arena, &r->steps,
                 (struct model_pallas_step){step->begin, step->ready, step->computed, step->end});
    }
    return (uint64_t)grid->shown;
}

static void add_kernel(struct report *r, const struct model_pallas_cost *cost)
{
    const struct pallas_grid *grid = &cost->grid;
    struct model_pallas kernel = {.label = add_text(r, label_of(r->step, cost->op)),
                                  .name = add_text(r, cost->call->kernel->name),
                                  .times = cost->times,
                                  .vmem_bytes = cost->windows.vmem_bytes,
                                  .vmem_limit_bytes = cost->vmem_limit,
                                  .smem_bytes = cost->windows.smem_bytes,
                                  .steps = grid->steps,
                                  .cycles = grid->cycles,
                                  .seconds = grid->seconds,
                                  .matrix = grid->matrix,
                                  .vector = grid->vector,
                                  .waited = grid->waited,
                                  .flops = grid->flops,
                                  .hbm_bytes = grid->hbm_bytes,
                                  .link_bytes = grid->remote_bytes,
                                  .is_exact = grid->is_exact};
    kernel.window_count = add_windows(r, &cost->windows);
    kernel.step_count = add_steps(r, grid);
    VEC_PUSH(r->model->arena, &r->pallas, kernel);
}

static void add_kernels(struct report *r)
{
    const struct map *all = r->model->pallas;
    for (size_t i = 0; all && i < map_count(all); i++)
        add_kernel(r, map_at(all, i, &(const void *){NULL}, &(size_t){0}));
}

/* ---- the whole ------------------------------------------------------------------------------- */
static void copy_to(char **to, const void *from, size_t size)
{
    if (size)
        memcpy(*to, from, size);
    *to += size;
}

/* Moves a list of the arena, so that at most one of them exists twice. */
#define MOVE_TO(to, arena, list)                                                                   \
    (copy_to((to), (list).items, (list).count * sizeof *(list).items),                             \
     arena_release((arena), (list).items, (list).capacity * sizeof *(list).items),                 \
     (list).items = NULL)

/* Sets the labels of the collectives. */
static void add_labels(struct report *r)
{
    const struct model_collectives *all = r->model->collectives;
    for (size_t i = 0; i < all->items.count; i++)
        all->items.items[i].label = add_text(r, label_of(r->step, all->ops.items[i]));
}

static void move_operations(struct report *r, char **to)
{
    for (size_t i = 0; i < r->operations.count; i++) {
        size_t size = chunk_size(r, i) * sizeof **r->operations.items;
        copy_to(to, r->operations.items[i], size);
        arena_release(r->model->arena, r->operations.items[i], size);
    }
}

static struct model_plan *assemble(struct report *r)
{
    struct model_collectives *all = r->model->collectives;
    size_t operations = r->operation_count * sizeof **r->operations.items,
           loops = r->loops.count * sizeof *r->loops.items,
           largest = r->largest.count * sizeof *r->largest.items,
           collectives = all->items.count * sizeof *all->items.items,
           numbers = all->numbers.count * sizeof *all->numbers.items,
           pallas = r->pallas.count * sizeof *r->pallas.items,
           windows = r->windows.count * sizeof *r->windows.items,
           steps = r->steps.count * sizeof *r->steps.items;
    struct model_plan *plan = r->plan;
    plan->size = sizeof *plan + operations + loops + largest + collectives + numbers + pallas +
                 windows + steps + r->text.count;
    plan->pallas_count = r->pallas.count;
    plan->window_count = r->windows.count;
    plan->step_count = r->steps.count;
    plan->collective_count = all->items.count;
    plan->number_count = all->numbers.count;
    plan->operation_count = r->operation_count;
    plan->loop_count = r->loops.count;
    plan->largest_count = r->largest.count;
    plan->text_size = r->text.count;
    plan->seconds_low = plan->ideal_seconds * FASTER;
    plan->seconds_high = plan->serial_seconds * SLOWER;
    plan->mfu =
        plan->seconds > 0 ? plan->flops / plan->seconds / r->model->accelerator->bf16_rate : 0;
    char *block = arena_alloc(r->model->module->arena, plan->size), *to = block;
    copy_to(&to, plan, sizeof *plan);
    move_operations(r, &to);
    MOVE_TO(&to, r->model->arena, r->loops);
    MOVE_TO(&to, r->model->arena, r->largest);
    MOVE_TO(&to, r->model->module->arena, all->items);
    MOVE_TO(&to, r->model->module->arena, all->numbers);
    MOVE_TO(&to, r->model->arena, r->pallas);
    MOVE_TO(&to, r->model->arena, r->windows);
    MOVE_TO(&to, r->model->arena, r->steps);
    MOVE_TO(&to, r->model->arena, r->text);
    return (struct model_plan *)(void *)block;
}

struct model_plan *model_report(const struct model *model, struct model_plan *plan)
{
    struct report r = {.model = model,
                       .step = arena_step(model->arena),
                       .plan = plan,
                       .operation_capacity = count_operations(model->entry)};
    add_operations(&r, model->entry, 0, 0);
    add_largest(&r);
    add_labels(&r);
    add_kernels(&r);
    arena_step_clear(model->arena);
    return assemble(&r);
}
