#include "report/xspace_measured.h"

#include <stdlib.h>

#include "base/vec.h"
#include "compiler/export/export_steps.h"
#include "compiler/program/program_communication.h"
#include "report/xspace_device.h"
#include "runtime/executable.h"

struct measured { /* a step of a program on a device */
    struct xspace_operation operation;
    int64_t kind;
};

struct measured_device {
    struct xspace_device *plane;
    struct map *steps;    /* by step: struct measured * */
    struct map *programs; /* how many operations each has: number + 1 */
};

struct thread {
    VEC(const struct trace_event *) steps; /* that no execution has claimed */
};

struct writer {
    struct arena *arena;
    const struct trace *trace;
    struct xspace_programs *programs;
    struct map *devices, *threads; /* by number */
    VEC(struct xspace_device *) order;
    int64_t id;
};

/* ---- operations ------------------------------------------------------------------------------ */
static const char *category_of(const struct step *step)
{
    switch (step->kind) {
    case STEP_KERNEL: return "loop fusion";
    case STEP_DOT:
    case STEP_THIN_DOT: return "dot";
    case STEP_CONVOLUTION: return "convolution";
    case STEP_ATTENTION:
    case STEP_ATTENTION_BACKWARD: return "custom fusion";
    case STEP_COPY: return "data formatting";
    case STEP_COPY_START: return "copy-start";
    case STEP_COPY_DONE: return "copy-done";
    case STEP_WHILE: return "while";
    case STEP_CASE: return "conditional";
    case STEP_CUSTOM_CALL: return "custom-call";
    case STEP_SEND: return "send";
    case STEP_RECEIVE: return "recv";
    case STEP_COLLECTIVE: return program_communication_name(step->collective.kind);
    }
    return "unknown";
}

/* Bytes of the results, of those that are accessed. */
static double written_by(const struct step *step)
{
    double bytes = 0;
    for (int i = step->operand_count; i < step->slice_count; i++)
        bytes += (double)step->slices[i].size;
    return bytes < step->analysis.bytes_accessed ? bytes : step->analysis.bytes_accessed;
}

/* The next number of an operation of the program on the device. */
static int64_t next_number(struct measured_device *device, const struct program *program)
{
    intptr_t number = (intptr_t)map_get_pointer(device->programs, program) + 1;
    map_put_pointer(device->programs, program, (void *)number);
    return number;
}

static const struct measured *measured_of(struct writer *w, struct measured_device *device,
                                          const struct executable *executable,
                                          const struct step *step)
{
    const struct program *program = executable->program;
    const struct export_step *instruction =
        map_get_pointer(xspace_programs_add(w->programs, executable), step);
    struct measured *known = map_get_pointer(device->steps, step);
    if (known)
        return known;
    known = ARENA_NEW(w->arena, struct measured);
    known->operation = (struct xspace_operation){
        .label = step->label,
        .name = instruction ? instruction->name : NULL,
        .category = category_of(step),
        .flops = step->analysis.flops + step->analysis.transcendentals,
        .bytes = step->analysis.bytes_accessed,
        .written = written_by(step),
        .program = xspace_device_program(program),
        .number = next_number(device, program),
    };
    known->kind = xspace_device_kind(device->plane, &known->operation);
    map_put_pointer(device->steps, step, known);
    return known;
}

/* ---- executions ------------------------------------------------------------------------------ */
static int64_t offset_of(const struct writer *w, const struct trace_event *event)
{
    return 1000 * (int64_t)(event->begin_ns - trace_started_ns(w->trace));
}

static int64_t duration_of(const struct trace_event *event)
{
    return 1000 * (int64_t)(event->end_ns - event->begin_ns);
}

/* By begin; a loop before its steps. */
static int by_begin(const void *a, const void *b)
{
    const struct trace_event *x = *(const struct trace_event *const *)a,
                             *y = *(const struct trace_event *const *)b;
    if (x->begin_ns != y->begin_ns)
        return x->begin_ns < y->begin_ns ? -1 : 1;
    return (x->end_ns < y->end_ns) - (x->end_ns > y->end_ns);
}

static struct measured_device *device_of(struct writer *w, int id,
                                         const struct executable *executable)
{
    struct measured_device *device = map_get(w->devices, &id, sizeof id);
    if (device)
        return device;
    device = ARENA_NEW(w->arena, struct measured_device);
    device->plane = xspace_device_create(w->arena, w->id + id, id, &executable->target,
                                         trace_started_ns(w->trace));
    device->steps = map_create(w->arena);
    device->programs = map_create(w->arena);
    map_put(w->devices, &id, sizeof id, device);
    VEC_PUSH(w->arena, &w->order, device->plane);
    return device;
}

static void add_execution(struct writer *w, const struct trace_event *from,
                          const struct trace_event **steps, size_t count)
{
    const struct executable *executable = from->subject.object;
    const struct program *program = executable->program;
    struct measured_device *device = device_of(w, from->subject.device, executable);
    xspace_programs_add(w->programs, executable);
    xspace_device_execution(device->plane, from, program, offset_of(w, from), duration_of(from));
    if (count)
        qsort(steps, count, sizeof *steps, by_begin);
    for (size_t i = 0; i < count; i++) {
        const struct measured *step = measured_of(w, device, executable, steps[i]->step);
        xspace_device_event(device->plane, XSPACE_OPERATIONS, step->kind, &step->operation,
                            offset_of(w, steps[i]), duration_of(steps[i]));
    }
}

/* ---- threads --------------------------------------------------------------------------------- */
static struct thread *thread_of(struct writer *w, int id)
{
    struct thread *thread = map_get(w->threads, &id, sizeof id);
    if (!thread) {
        thread = ARENA_NEW(w->arena, struct thread);
        map_put(w->threads, &id, sizeof id, thread);
    }
    return thread;
}

static bool is_modeled(const struct executable *executable)
{
    return executable && executable->program->model;
}

/* The end of an execution: the thread's steps since its begin are its own. */
static void end_execution(struct writer *w, const struct trace_event *execution)
{
    struct thread *thread = thread_of(w, execution->thread);
    size_t first = thread->steps.count, count;
    while (first && thread->steps.items[first - 1]->begin_ns >= execution->begin_ns)
        first--;
    count = thread->steps.count - first;
    if (execution->subject.object && !is_modeled(execution->subject.object))
        add_execution(w, execution, count ? thread->steps.items + first : NULL, count);
    thread->steps.count = first;
}

void xspace_measured_write(const struct trace *trace, struct xspace_programs *programs,
                           struct xplane *host, struct arena *arena, int64_t id, struct proto *to,
                           int field)
{
    struct writer w = {.arena = arena,
                       .trace = trace,
                       .programs = programs,
                       .devices = map_create(arena),
                       .threads = map_create(arena),
                       .id = id};
    for (size_t i = 0; i < trace_count(trace); i++) {
        const struct trace_event *event = trace_event(trace, i);
        if (event->kind == TRACE_STEP && event->step)
            VEC_PUSH(arena, &thread_of(&w, event->thread)->steps, event);
        else if (event->kind == TRACE_EXECUTE)
            end_execution(&w, event);
    }
    for (size_t i = 0; i < w.order.count; i++)
        xplane_write(w.order.items[i]->plane, to, field);
    if (w.order.count)
        xspace_device_add_use(host, w.order.items, w.order.count);
}
