#include "report/xspace_model.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"
#include "compiler/accelerator.h"
#include "compiler/export/export_model.h"
#include "report/xspace_device.h"
#include "runtime/executable.h"

/* Picoseconds: the longest duration, 1.2 days, and the latest begin; their sum is an int64_t. */
#define LONGEST_PS 1e17
#define END_PS ((int64_t)4e18)

enum { DEPTH = 64 }; /* of loops that are shown */

/* The units, beside the lines of xspace_device.h. */
enum line { MATRIX = XSPACE_LINES, VECTOR, HBM, LINKS, TO_HOST, FROM_HOST, LINES };
static const char *const line_names[] = {
    [MATRIX] = "Matrix units",       [VECTOR] = "Vector unit",  [HBM] = "HBM",
    [LINKS] = "Links between chips", [TO_HOST] = "To the host", [FROM_HOST] = "From the host"};

struct modeled { /* a device */
    struct xspace_device *plane;
    int64_t free_ps;   /* when it is done with what it executed */
    struct map *plans; /* struct kinds by plan */
};

struct kinds { /* of a plan on a device; 0: not made yet */
    int64_t *operations, *waits, *loops;
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
    VEC(struct xspace_device *) order;
    struct modeled *device; /* that is being written */
    const struct tree *tree;
    struct kinds *kinds;
    int64_t program; /* its number */
    struct xspace_programs *programs;
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

/* ---- operations ------------------------------------------------------------------------------ */
static bool starts_with(const char *label, const char *word)
{
    return !strncmp(label, word, strlen(word));
}

/* XLA's category of an operation: a kernel is named after its last operation, and contains the
 * product if there is one. */
static const char *category_of(const char *label, const struct model_operation *operation)
{
    static const struct {
        const char *name, *category;
    } named[] = {
        {"all_reduce", "all-reduce"},
        {"all_gather", "all-gather"},
        {"all_to_all", "all-to-all"},
        {"reduce_scatter", "reduce-scatter"},
        {"collective_permute", "collective-permute"},
        {"collective_broadcast", "collective-broadcast"},
        {"transpose", "data formatting"},
        {"reshape", "data formatting"},
        {"copy", "data formatting"},
        {"sort", "sort"},
    };
    if (operation->resource == MODEL_TO_HOST || operation->resource == MODEL_FROM_HOST)
        return "async-start";
    if (operation->pallas || starts_with(label, "custom_call"))
        return "custom-call";
    if (operation->flops > 0)
        return "convolution fusion";
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (starts_with(label, named[i].name))
            return named[i].category;
    return "loop fusion";
}

static struct kinds *kinds_of(struct writer *w, const struct model_plan *plan)
{
    struct kinds *kinds = map_get_pointer(w->device->plans, plan);
    if (kinds)
        return kinds;
    kinds = ARENA_NEW(w->arena, struct kinds);
    kinds->operations = ARENA_ARRAY(w->arena, int64_t, plan->operation_count + 1);
    kinds->waits = ARENA_ARRAY(w->arena, int64_t, plan->operation_count + 1);
    kinds->loops = ARENA_ARRAY(w->arena, int64_t, plan->loop_count + 1);
    map_put_pointer(w->device->plans, plan, kinds);
    return kinds;
}

/* ---- events ---------------------------------------------------------------------------------- */
static double lesser(double a, double b)
{
    return a < b ? a : b;
}

static void add(struct writer *w, int line, const char *name, int64_t at, double seconds)
{
    struct xplane_event event = {
        .name = name, .offset_ps = at, .duration_ps = picoseconds(seconds)};
    if (event.duration_ps)
        xplane_event(w->device->plane->plane, line, &event);
}

static void add_units(struct writer *w, const struct model_operation *from, int64_t at)
{
    const char *name = model_plan_text(w->tree->plan, from->label);
    double times = from->times > 0 ? from->times : 1;
    add(w, MATRIX, name, at, lesser(from->matrix, from->seconds) / times);
    add(w, VECTOR, name, at, lesser(from->vector, from->seconds) / times);
    add(w, HBM, name, at, lesser(from->hbm, from->seconds) / times);
    add(w, LINKS, name, at, lesser(from->links, from->seconds) / times);
}

static int64_t wait_number(const struct model_plan *plan, int64_t index)
{
    return (int64_t)(plan->operation_count + plan->loop_count) + index + 1;
}

/* The time for which kernels wait for the end of an asynchronous operation, `end`. */
static void add_wait(struct writer *w, int64_t index, int64_t end)
{
    const struct model_operation *from = &model_plan_operations(w->tree->plan)[index];
    int64_t waited = picoseconds(from->waited / (from->times > 0 ? from->times : 1));
    int64_t *kind = &w->kinds->waits[index];
    if (!waited)
        return;
    const struct xspace_operation operation = {
        .label = model_plan_text(w->tree->plan, from->label),
        .name = *kind ? NULL : export_model_wait(w->arena, w->tree->plan, (uint64_t)index),
        .category = from->resource == MODEL_LINKS ? "async-done" : "copy-done",
        .program = w->program,
        .number = wait_number(w->tree->plan, index),
    };
    if (!*kind)
        *kind = xspace_device_kind(w->device->plane, &operation);
    xspace_device_event(w->device->plane, XSPACE_OPERATIONS, *kind, &operation,
                        end > waited ? end - waited : 0, waited);
    w->left--;
}

static void add_operation(struct writer *w, int64_t index, int64_t begin)
{
    static const int lines[] = {[MODEL_KERNELS] = XSPACE_OPERATIONS,
                                [MODEL_LINKS] = LINKS,
                                [MODEL_TO_HOST] = TO_HOST,
                                [MODEL_FROM_HOST] = FROM_HOST};
    const struct model_operation *from = &model_plan_operations(w->tree->plan)[index];
    double times = from->times > 0 ? from->times : 1;
    int64_t at = later(begin, from->begin), *kind = &w->kinds->operations[index];
    const char *label = model_plan_text(w->tree->plan, from->label);
    const struct xspace_operation operation = {
        .label = label,
        .name = *kind ? NULL : export_model_operation(w->arena, w->tree->plan, (uint64_t)index),
        .category = category_of(label, from),
        .flops = from->flops / times,
        .bytes = from->hbm_bytes / times,
        .program = w->program,
        .number = index + 1,
    };
    if (!*kind)
        *kind = xspace_device_kind(w->device->plane, &operation);
    xspace_device_event(w->device->plane, lines[from->resource], *kind, &operation, at,
                        picoseconds(from->seconds / times));
    w->left--;
    if (from->resource == MODEL_KERNELS)
        add_units(w, from, at);
    else
        add_wait(w, index, later(at, from->seconds / times));
}

static void add_loop(struct writer *w, const struct model_loop *loop, int64_t number, int64_t begin,
                     int depth);

/* One iteration of loop `number`, or with 0 the whole. Once begun it is complete but for loops. */
static void add_iteration(struct writer *w, int64_t number, int64_t begin, int depth)
{
    const struct tree *tree = w->tree;
    for (int64_t i = tree->first_operation[number]; i; i = tree->next_operation[i - 1])
        add_operation(w, i - 1, begin);
    for (int64_t i = tree->first_loop[number]; i; i = tree->next_loop[i - 1])
        add_loop(w, &model_plan_loops(tree->plan)[i - 1], i, begin, depth + 1);
}

/* A loop around what is in it; its operations have the flops. */
static void add_whole_loop(struct writer *w, const struct model_loop *loop, int64_t number,
                           int64_t at)
{
    int64_t *kind = &w->kinds->loops[number - 1];
    const struct xspace_operation operation = {
        .label = model_plan_text(w->tree->plan, loop->label),
        .name = *kind ? NULL : export_model_loop(w->arena, w->tree->plan, (uint64_t)number - 1),
        .category = "while",
        .program = w->program,
        .number = (int64_t)w->tree->plan->operation_count + number,
    };
    if (!*kind)
        *kind = xspace_device_kind(w->device->plane, &operation);
    xspace_device_event(w->device->plane, XSPACE_OPERATIONS, *kind, &operation, at,
                        picoseconds(loop->seconds * loop->trips));
}

static void add_loop(struct writer *w, const struct model_loop *loop, int64_t number, int64_t begin,
                     int depth)
{
    const char *name = model_plan_text(w->tree->plan, loop->label);
    int64_t trips = xspace_device_whole(loop->trips), at = later(begin, loop->begin), i = 0;
    add_whole_loop(w, loop, number, at);
    for (; i < trips && w->left > 0 && depth < DEPTH; i++) {
        w->left--;
        add_iteration(w, number, later(at, loop->seconds * (double)i), depth);
    }
    if (i && i < trips)
        add(w, XSPACE_OPERATIONS, arena_format(w->arena, "%s: the other iterations", name),
            later(at, loop->seconds * (double)i), loop->seconds * (double)(trips - i));
}

/* ---- executions ------------------------------------------------------------------------------ */
static struct modeled *device_of(struct writer *w, int id, const struct executable *executable)
{
    struct modeled *device = map_get(w->devices, &id, sizeof id);
    if (device)
        return device;
    device = ARENA_NEW(w->arena, struct modeled);
    device->plane = xspace_device_create(w->arena, w->id + id, id, &executable->target,
                                         trace_started_ns(w->trace));
    device->plans = map_create(w->arena);
    for (int i = XSPACE_LINES; i < LINES; i++)
        xplane_line(device->plane->plane, i, line_names[i], trace_started_ns(w->trace));
    map_put(w->devices, &id, sizeof id, device);
    VEC_PUSH(w->arena, &w->order, device->plane);
    return device;
}

static void add_execution(struct writer *w, const struct trace_event *from)
{
    const struct executable *executable = from->subject.object;
    const struct model_plan *plan = executable->program->model;
    w->device = device_of(w, from->subject.device, executable);
    w->tree = tree_of(w, plan);
    w->kinds = kinds_of(w, plan);
    w->program = xspace_device_program(executable->program);
    xspace_programs_add(w->programs, executable);
    int64_t at = later(0, (double)(from->begin_ns - trace_started_ns(w->trace)) * 1e-9);
    at = at > w->device->free_ps ? at : w->device->free_ps;
    xspace_device_execution(w->device->plane, from, executable->program, at,
                            picoseconds(plan->seconds));
    w->device->free_ps = later(at, plan->seconds);
    if ((int64_t)plan->operation_count > w->left_of_all) {
        w->shortened++;
        return;
    }
    w->left = XSPACE_MODEL_EVENTS;
    add_iteration(w, 0, at, 0);
    w->left_of_all -= XSPACE_MODEL_EVENTS - w->left;
}

static bool is_modeled(const struct trace_event *event)
{
    const struct executable *executable = event->subject.object;
    return executable && executable->program->model;
}

uint64_t xspace_model_write(const struct trace *trace, struct xspace_programs *programs,
                            struct xplane *host, struct arena *arena, int64_t id, struct proto *to,
                            int field)
{
    struct writer w = {.arena = arena,
                       .trace = trace,
                       .programs = programs,
                       .devices = map_create(arena),
                       .trees = map_create(arena),
                       .left_of_all = XSPACE_MODEL_EVENTS_ALL,
                       .id = id};
    for (size_t i = 0; i < trace_count(trace); i++)
        if (is_modeled(trace_event(trace, i)))
            add_execution(&w, trace_event(trace, i));
    for (size_t i = 0; i < w.order.count; i++)
        xplane_write(w.order.items[i]->plane, to, field);
    if (w.order.count)
        xspace_device_add_use(host, w.order.items, w.order.count);
    return w.shortened;
}
