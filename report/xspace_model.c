#include "report/xspace_model.h"

#include "base/map.h"
#include "base/vec.h"
#include "compiler/accelerator.h"
#include "report/xplane.h"
#include "runtime/executable.h"

/* Picoseconds: the longest duration, 1.2 days, and the latest begin; their sum is an int64_t. */
#define LONGEST_PS 1e17
#define END_PS ((int64_t)4e18)

enum { DEPTH = 64 }; /* of loops that are shown */

/* Names as in profiles of accelerators, then the units. */
enum line { MODULES, OPERATIONS, MATRIX, VECTOR, HBM, LINKS, TO_HOST, FROM_HOST, LINES };
static const char *const line_names[] = {[MODULES] = "XLA Modules",
                                         [OPERATIONS] = "XLA Ops",
                                         [MATRIX] = "Matrix units",
                                         [VECTOR] = "Vector unit",
                                         [HBM] = "HBM",
                                         [LINKS] = "Links between chips",
                                         [TO_HOST] = "To the host",
                                         [FROM_HOST] = "From the host"};

struct modeled { /* a device */
    struct xplane *plane;
    int64_t free_ps; /* when it is done with what it executed */
};

/* Operations and loops of one plan by the loop that they are in: index + 1, 0: none. */
struct tree {
    const struct model_plan *plan;
    int64_t *first_operation, *next_operation; /* index + 1; 0: none */
    int64_t *first_loop, *next_loop;
};

struct writer {
    struct arena *arena;
    const struct trace *trace;
    struct map *devices, *trees; /* by id; by plan */
    VEC(struct modeled *) order;
    struct modeled *device; /* that is being written */
    const struct tree *tree;
    int64_t left, left_of_all; /* events */
    uint64_t shortened;
    int64_t id;
};

/* ---- times ----------------------------------------------------------------------------------- */
static int64_t picoseconds(double seconds)
{
    double ps = seconds * 1e12;
    return ps > 0 ? (int64_t)(ps < LONGEST_PS ? ps : LONGEST_PS) : 0;
}

static int64_t later(int64_t at, double seconds)
{
    at += picoseconds(seconds);
    return at < END_PS ? at : END_PS;
}

/* ---- the plan as a tree ---------------------------------------------------------------------- */
/* Puts item `index` before those that its loop has. */
static void prepend(int64_t *first, int64_t *next, int64_t index)
{
    *next = *first;
    *first = index + 1;
}

static const struct tree *tree_of(struct writer *w, const struct model_plan *plan)
{
    struct tree *tree = map_get_pointer(w->trees, plan);
    if (tree)
        return tree;
    tree = ARENA_NEW(w->arena, struct tree);
    tree->plan = plan;
    tree->first_operation = ARENA_ARRAY(w->arena, int64_t, plan->loop_count + 1);
    tree->first_loop = ARENA_ARRAY(w->arena, int64_t, plan->loop_count + 1);
    tree->next_operation = ARENA_ARRAY(w->arena, int64_t, plan->operation_count + 1);
    tree->next_loop = ARENA_ARRAY(w->arena, int64_t, plan->loop_count + 1);
    for (int64_t i = (int64_t)plan->operation_count - 1; i >= 0; i--)
        prepend(&tree->first_operation[model_plan_operations(plan)[i].loop],
                &tree->next_operation[i], i);
    for (int64_t i = (int64_t)plan->loop_count - 1; i >= 0; i--)
        prepend(&tree->first_loop[model_plan_loops(plan)[i].loop], &tree->next_loop[i], i);
    map_put_pointer(w->trees, plan, tree);
    return tree;
}

/* ---- events ---------------------------------------------------------------------------------- */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void add(struct writer *w, enum line line, const char *name, int64_t at, double seconds)
{
    struct xplane_event event = {
        .name = name, .offset_ps = at, .duration_ps = picoseconds(seconds)};
    if (event.duration_ps)
        xplane_event(w->device->plane, (int)line, &event);
}

static int64_t whole(double number)
{
    return number > 0 ? (int64_t)(number < 9e18 ? number : 9e18) : 0;
}

static void add_operation(struct writer *w, const struct model_operation *from, int64_t begin)
{
    static const enum line lines[] = {[MODEL_KERNELS] = OPERATIONS,
                                      [MODEL_LINKS] = LINKS,
                                      [MODEL_TO_HOST] = TO_HOST,
                                      [MODEL_FROM_HOST] = FROM_HOST};
    const char *name = model_plan_text(w->tree->plan, from->label);
    double times = from->times > 0 ? from->times : 1;
    int64_t at = later(begin, from->begin);
    const struct xplane_stat stats[] = {
        {.name = "bound", .text = model_plan_bound_name((enum model_bound)from->bound)},
        {.name = "flops", .number = whole(from->flops / times)},
        {.name = "bytes_accessed", .number = whole(from->hbm_bytes / times)},
    };
    struct xplane_event event = {name, at, picoseconds(from->seconds / times), stats, 3};
    xplane_event(w->device->plane, (int)lines[from->resource], &event);
    w->left--;
    if (from->resource != MODEL_KERNELS)
        return;
    add(w, MATRIX, name, at, lesser(from->matrix, from->seconds) / times);
    add(w, VECTOR, name, at, lesser(from->vector, from->seconds) / times);
    add(w, HBM, name, at, lesser(from->hbm, from->seconds) / times);
    add(w, LINKS, name, at, lesser(from->links, from->seconds) / times);
}

static void add_loop(struct writer *w, const struct model_loop *loop, int64_t number, int64_t begin,
                     int depth);

/* One iteration of loop `number`, or with 0 the whole. Once begun it is complete but for loops. */
static void add_iteration(struct writer *w, int64_t number, int64_t begin, int depth)
{
    const struct tree *tree = w->tree;
    for (int64_t i = tree->first_operation[number]; i; i = tree->next_operation[i - 1])
        add_operation(w, &model_plan_operations(tree->plan)[i - 1], begin);
    for (int64_t i = tree->first_loop[number]; i; i = tree->next_loop[i - 1])
        add_loop(w, &model_plan_loops(tree->plan)[i - 1], i, begin, depth + 1);
}

static void add_loop(struct writer *w, const struct model_loop *loop, int64_t number, int64_t begin,
                     int depth)
{
    const char *name = model_plan_text(w->tree->plan, loop->label);
    int64_t trips = whole(loop->trips), at = later(begin, loop->begin), i = 0;
    const struct xplane_stat stat = {.name = "iterations", .number = trips};
    struct xplane_event event = {name, at, picoseconds(loop->seconds * loop->trips), &stat, 1};
    xplane_event(w->device->plane, OPERATIONS, &event);
    for (; i < trips && w->left > 0 && depth < DEPTH; i++) {
        w->left--;
        add_iteration(w, number, later(at, loop->seconds * (double)i), depth);
    }
    if (i && i < trips)
        add(w, OPERATIONS, arena_format(w->arena, "%s: the other iterations", name),
            later(at, loop->seconds * (double)i), loop->seconds * (double)(trips - i));
}

/* ---- executions ------------------------------------------------------------------------------ */
static struct modeled *device_of(struct writer *w, int id, const struct executable *executable)
{
    struct modeled *device = map_get(w->devices, &id, sizeof id);
    if (device)
        return device;
    device = ARENA_NEW(w->arena, struct modeled);
    const char *name = arena_format(w->arena, "/device:CUSTOM:%s %d, modeled time",
                                    executable->target.accelerator->name, id);
    device->plane = xplane_create(w->arena, w->id + id, name);
    for (int i = 0; i < LINES; i++)
        xplane_line(device->plane, i + 1, line_names[i], trace_started_ns(w->trace));
    map_put(w->devices, &id, sizeof id, device);
    VEC_PUSH(w->arena, &w->order, device);
    return device;
}

static void add_execution(struct writer *w, const struct trace_event *from)
{
    const struct executable *executable = from->subject.object;
    const struct model_plan *plan = executable->program->model;
    w->device = device_of(w, from->subject.device, executable);
    w->tree = tree_of(w, plan);
    int64_t at = later(0, (double)(from->begin_ns - trace_started_ns(w->trace)) * 1e-9);
    at = at > w->device->free_ps ? at : w->device->free_ps;
    add(w, MODULES, from->name, at, plan->seconds);
    w->device->free_ps = later(at, plan->seconds);
    if ((int64_t)plan->operation_count > w->left_of_all) {
        w->shortened++;
        return;
    }
    w->left = XSPACE_MODEL_EVENTS;
    add_iteration(w, 0, at, 0);
    w->left_of_all -= XSPACE_MODEL_EVENTS - w->left;
}

uint64_t xspace_model_write(const struct trace *trace, struct arena *arena, int64_t id,
                            struct proto *to, int field)
{
    struct writer w = {.arena = arena,
                       .trace = trace,
                       .devices = map_create(arena),
                       .trees = map_create(arena),
                       .left_of_all = XSPACE_MODEL_EVENTS_ALL,
                       .id = id};
    for (size_t i = 0; i < trace_count(trace); i++)
        if (trace_event(trace, i)->subject.object)
            add_execution(&w, trace_event(trace, i));
    for (size_t i = 0; i < w.order.count; i++)
        xplane_write(w.order.items[i]->plane, to, field);
    return w.shortened;
}
