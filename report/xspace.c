#include "report/xspace.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "report/xplane.h"
#include "report/xspace_measured.h"
#include "report/xspace_memory.h"
#include "report/xspace_model.h"

/* XLA's profiler adds the lines of this plane to those of the client's threads, "/host:CPU". */
#define PLANE "/host:TPU-runtime"

/* Field numbers of xplane.proto. */
enum { SPACE_PLANE = 1, SPACE_WARNING = 3 };

/* Numbers of planes and lines: devices count from FIRST_DEVICE, threads are the system's. */
enum { HOST_PLANE = 1, PROGRAMS_PLANE = 2, FIRST_DEVICE = 3 };
#define MEMORY_LINE ((int64_t)1 << 40)

struct writer {
    struct arena *arena;
    const struct trace *trace;
    struct map *lines; /* of threads: the line's number + 1 */
    struct xplane *plane;
    struct xspace_memory *memory;
    struct proto out;
};

/* "python/1234"; a thread that has ended has no name. */
static const char *thread_name(struct arena *arena, int thread)
{
    char name[32] = "";
    FILE *file = fopen(arena_format(arena, "/proc/self/task/%d/comm", thread), "re");
    if (file && fgets(name, sizeof name, file))
        name[strcspn(name, "\n")] = '\0';
    if (file)
        fclose(file);
    return arena_format(arena, "%s/%d", name[0] ? name : "thread", thread);
}

static int line_of(struct writer *w, int thread)
{
    intptr_t line = (intptr_t)map_get(w->lines, &thread, sizeof thread);
    if (!line) {
        line = xplane_line(w->plane, thread, thread_name(w->arena, thread),
                           trace_started_ns(w->trace)) +
               1;
        map_put(w->lines, &thread, sizeof thread, (void *)line);
    }
    return (int)line - 1;
}

static void add_event(struct writer *w, const struct trace_event *from)
{
    static const char *const kinds[] = {"compile", "execute", "step"};
    if (from->kind == TRACE_MEMORY) {
        xspace_memory_add(w->memory, from);
        return;
    }
    const struct xplane_stat kind = {.name = "kind", .text = kinds[from->kind]};
    struct xplane_event event = {.name = from->name, .stats = &kind, .stat_count = 1};
    event.offset_ps = 1000 * (int64_t)(from->begin_ns - trace_started_ns(w->trace));
    event.duration_ps = 1000 * (int64_t)(from->end_ns - from->begin_ns);
    xplane_event(w->plane, line_of(w, from->thread), &event);
}

static void warn(struct writer *w, const char *what, uint64_t count)
{
    if (count)
        proto_string(&w->out, SPACE_WARNING,
                     arena_format(w->arena, "Gantry: %" PRIu64 " %s", count, what));
}

static void write_host(struct writer *w)
{
    w->lines = map_create(w->arena);
    w->plane = xplane_create(w->arena, HOST_PLANE, PLANE);
    w->memory = xspace_memory_create(w->arena, w->plane, MEMORY_LINE, trace_started_ns(w->trace));
    for (size_t i = 0; i < trace_count(w->trace); i++)
        add_event(w, trace_event(w->trace, i));
}

static struct error *write_all(void *context)
{
    struct writer *w = context;
    uint64_t shortened = 0;
    if (trace_count(w->trace)) {
        struct xspace_programs *programs = xspace_programs_create(w->arena, PROGRAMS_PLANE);
        write_host(w);
        xspace_measured_write(w->trace, programs, w->plane, w->arena, FIRST_DEVICE, &w->out,
                              SPACE_PLANE);
        shortened = xspace_model_write(w->trace, programs, w->plane, w->arena, FIRST_DEVICE,
                                       &w->out, SPACE_PLANE);
        xplane_write(w->plane, &w->out, SPACE_PLANE);
        xspace_programs_write(programs, &w->out, SPACE_PLANE);
    }
    warn(w, "later events were dropped", trace_dropped(w->trace));
    warn(w, "later executions of modeled devices are shown without their operations", shortened);
    return NULL;
}

struct error *xspace_write(const struct trace *trace, char **out, size_t *size)
{
    struct writer w = {.trace = trace};
    *out = NULL, *size = 0;
    TRY(arena_create(&w.arena));
    w.out.arena = w.arena;
    struct error *error = arena_run(w.arena, write_all, &w);
    if (!error && w.out.size)
        error = alloc_copy(w.out.bytes, w.out.size, out);
    if (!error)
        *size = w.out.size;
    arena_destroy(w.arena);
    return error;
}
