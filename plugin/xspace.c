#include "plugin/xspace.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/proto.h"
#include "base/vec.h"

/* Every viewer shows planes with this prefix, whatever the device. */
#define PLANE "/device:CUSTOM:Gantry"

/* Field numbers of xplane.proto. */
enum { SPACE_PLANE = 1, SPACE_WARNING = 3 };
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINE = 3, PLANE_EVENTS = 4, PLANE_STATS = 5 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START_NS = 3, LINE_EVENT = 4 };
enum { EVENT_METADATA = 1, EVENT_OFFSET_PS = 2, EVENT_DURATION_PS = 3, EVENT_STAT = 4 };
enum { STAT_METADATA = 1, STAT_REFERENCE = 7 };
enum { METADATA_ID = 1, METADATA_NAME = 2 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };

/* Stat metadata: the only stat of events, then its values. */
enum { STAT_KIND = 1, STAT_OF_KINDS };
static const char *const stat_names[] = {NULL, "kind", "compile", "execute", "step"};

struct writer {
    struct arena *arena;
    const struct trace *trace;
    struct map *names; /* name to metadata id */
    VEC(int) threads;
    struct proto out;
    struct proto event, stat; /* the plane that is being written */
};

/* ---- planes --------------------------------------------------------------------------------- */
/* An entry of map<int64, X>, where X starts with its id and its name. */
static void add_metadata(struct proto *plane, int field, int64_t id, const char *name, size_t size)
{
    struct proto metadata = {.arena = plane->arena}, entry = metadata;
    proto_number(&metadata, METADATA_ID, id);
    proto_bytes(&metadata, METADATA_NAME, name, size);
    proto_number(&entry, MAP_KEY, id);
    proto_message(&entry, MAP_VALUE, &metadata);
    proto_message(plane, field, &entry);
}

static void add_event(struct writer *w, struct proto *line, const struct trace_event *from)
{
    struct proto *event = &w->event, *stat = &w->stat;
    event->size = stat->size = 0;
    proto_number(stat, STAT_METADATA, STAT_KIND);
    proto_number(stat, STAT_REFERENCE, STAT_OF_KINDS + (int64_t)from->kind);
    intptr_t id = (intptr_t)map_get(w->names, from->name, strlen(from->name));
    uint64_t offset = from->begin_ns - trace_started_ns(w->trace);
    proto_number(event, EVENT_METADATA, id);
    proto_number(event, EVENT_OFFSET_PS, 1000 * (int64_t)offset);
    proto_number(event, EVENT_DURATION_PS, 1000 * (int64_t)(from->end_ns - from->begin_ns));
    proto_message(event, EVENT_STAT, stat);
    proto_message(line, LINE_EVENT, event);
}

static void add_line(struct writer *w, struct proto *plane, int thread)
{
    struct proto line = {.arena = w->arena};
    proto_number(&line, LINE_ID, thread);
    proto_string(&line, LINE_NAME, arena_format(w->arena, "thread %d", thread));
    proto_number(&line, LINE_START_NS, (int64_t)trace_started_ns(w->trace));
    for (size_t i = 0; i < trace_count(w->trace); i++)
        if (trace_event(w->trace, i)->thread == thread)
            add_event(w, &line, trace_event(w->trace, i));
    proto_message(plane, PLANE_LINE, &line);
}

static void add_plane(struct writer *w)
{
    struct proto plane = {.arena = w->arena};
    const void *name;
    size_t size;
    proto_number(&plane, PLANE_ID, 1);
    proto_string(&plane, PLANE_NAME, PLANE);
    for (size_t i = 0; i < w->threads.count; i++)
        add_line(w, &plane, w->threads.items[i]);
    for (size_t i = 0; i < map_count(w->names); i++) {
        intptr_t id = (intptr_t)map_at(w->names, i, &name, &size);
        add_metadata(&plane, PLANE_EVENTS, id, name, size);
    }
    for (int i = STAT_KIND; i < (int)(sizeof stat_names / sizeof *stat_names); i++)
        add_metadata(&plane, PLANE_STATS, i, stat_names[i], strlen(stat_names[i]));
    proto_message(&w->out, SPACE_PLANE, &plane);
}

/* ---- the message ---------------------------------------------------------------------------- */
static void record_event(struct writer *w, const struct trace_event *event)
{
    size_t size = strlen(event->name);
    if (!map_get(w->names, event->name, size))
        map_put(w->names, event->name, size, (void *)(uintptr_t)(map_count(w->names) + 1));
    for (size_t i = 0; i < w->threads.count; i++)
        if (w->threads.items[i] == event->thread)
            return;
    VEC_PUSH(w->arena, &w->threads, event->thread);
}

static struct error *write_all(void *context)
{
    struct writer *w = context;
    w->names = map_create(w->arena);
    for (size_t i = 0; i < trace_count(w->trace); i++)
        record_event(w, trace_event(w->trace, i));
    if (trace_count(w->trace))
        add_plane(w);
    if (trace_dropped(w->trace))
        proto_string(&w->out, SPACE_WARNING,
                     arena_format(w->arena, "Gantry: %" PRIu64 " later events were dropped",
                                  trace_dropped(w->trace)));
    return NULL;
}

struct error *xspace_write(const struct trace *trace, char **out, size_t *size)
{
    struct writer w = {.trace = trace};
    *out = NULL, *size = 0;
    TRY(arena_create(&w.arena));
    w.out.arena = w.event.arena = w.stat.arena = w.arena;
    struct error *error = arena_run(w.arena, write_all, &w);
    if (!error && w.out.size)
        error = alloc_copy(w.out.bytes, w.out.size, out);
    if (!error)
        *size = w.out.size;
    arena_destroy(w.arena);
    return error;
}
