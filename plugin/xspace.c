/* xspace.c: protobuf's wire format is written as it goes; a message inside another is made first,
 * as its size stands in front of it. */
#include "plugin/xspace.h"

#include <inttypes.h>
#include <string.h>

#include "base/alloc.h"
#include "base/map.h"
#include "base/text.h"
#include "base/vec.h"

/* Planes of this prefix are shown by every viewer without knowing the device. */
#define PLANE "/device:CUSTOM:Gantry"

/* Field numbers of xplane.proto. */
enum { SPACE_PLANE = 1, SPACE_WARNING = 3 };
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINE = 3, PLANE_EVENTS = 4, PLANE_STATS = 5 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START_NS = 3, LINE_EVENT = 4 };
enum { EVENT_METADATA = 1, EVENT_OFFSET_PS = 2, EVENT_DURATION_PS = 3, EVENT_STAT = 4 };
enum { STAT_METADATA = 1, STAT_REFERENCE = 7 };
enum { METADATA_ID = 1, METADATA_NAME = 2 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };

/* Stat metadata: the one stat that events have, then its values. */
enum { STAT_KIND = 1, STAT_OF_KINDS };
static const char *const stat_names[] = {NULL, "kind", "compile", "execute", "step"};

struct writer {
    struct arena *arena;
    const struct trace *trace;
    struct map *names; /* to their metadata's number */
    VEC(int) threads;
    struct text out;
};

/* ---- wire format ---------------------------------------------------------------------------- */
static void add_varint(struct text *out, uint64_t value)
{
    char bytes[10];
    size_t count = 0;
    for (; value >= 0x80; value >>= 7)
        bytes[count++] = (char)(value | 0x80);
    bytes[count++] = (char)value;
    text_add_bytes(out, bytes, count);
}

static void add_number(struct text *out, int field, uint64_t value)
{
    add_varint(out, (uint64_t)field << 3);
    add_varint(out, value);
}

static void add_bytes(struct text *out, int field, const void *bytes, size_t size)
{
    add_varint(out, (uint64_t)field << 3 | 2);
    add_varint(out, size);
    text_add_bytes(out, bytes, size);
}

static void add_string(struct text *out, int field, const char *string)
{
    add_bytes(out, field, string, strlen(string));
}

/* Adds the message made in `inner`, which is empty after. */
static void add_message(struct text *out, int field, struct text *inner)
{
    out->failed |= inner->failed;
    add_bytes(out, field, inner->data, inner->size);
    text_free(inner);
}

/* ---- planes --------------------------------------------------------------------------------- */
/* An entry of map<int64, X> where X begins with its number and its name. */
static void add_metadata(struct text *plane, int field, uint64_t id, const char *name, size_t size)
{
    struct text metadata = {0}, entry = {0};
    add_number(&metadata, METADATA_ID, id);
    add_bytes(&metadata, METADATA_NAME, name, size);
    add_number(&entry, MAP_KEY, id);
    add_message(&entry, MAP_VALUE, &metadata);
    add_message(plane, field, &entry);
}

static void add_event(struct writer *w, struct text *line, const struct trace_event *from)
{
    struct text event = {0}, stat = {0};
    uint64_t start = trace_started_ns(w->trace);
    uintptr_t id = (uintptr_t)map_get(w->names, from->name, strlen(from->name));
    add_number(&event, EVENT_METADATA, id);
    add_number(&event, EVENT_OFFSET_PS, 1000 * (from->begin_ns - start));
    add_number(&event, EVENT_DURATION_PS, 1000 * (from->end_ns - from->begin_ns));
    add_number(&stat, STAT_METADATA, STAT_KIND);
    add_number(&stat, STAT_REFERENCE, STAT_OF_KINDS + (uint64_t)from->kind);
    add_message(&event, EVENT_STAT, &stat);
    add_message(line, LINE_EVENT, &event);
}

static void add_line(struct writer *w, struct text *plane, int thread)
{
    struct text line = {0}, name = {0};
    text_add(&name, "thread %d", thread);
    add_number(&line, LINE_ID, (uint64_t)thread);
    add_message(&line, LINE_NAME, &name);
    add_number(&line, LINE_START_NS, trace_started_ns(w->trace));
    for (size_t i = 0; i < trace_count(w->trace); i++)
        if (trace_event(w->trace, i)->thread == thread)
            add_event(w, &line, trace_event(w->trace, i));
    add_message(plane, PLANE_LINE, &line);
}

static void add_plane(struct writer *w)
{
    struct text plane = {0};
    const void *name;
    size_t size;
    add_number(&plane, PLANE_ID, 1);
    add_string(&plane, PLANE_NAME, PLANE);
    for (size_t i = 0; i < w->threads.count; i++)
        add_line(w, &plane, w->threads.items[i]);
    for (size_t i = 0; i < map_count(w->names); i++) {
        uintptr_t id = (uintptr_t)map_at(w->names, i, &name, &size);
        add_metadata(&plane, PLANE_EVENTS, id, name, size);
    }
    for (size_t i = STAT_KIND; i < sizeof stat_names / sizeof *stat_names; i++)
        add_metadata(&plane, PLANE_STATS, i, stat_names[i], strlen(stat_names[i]));
    add_message(&w->out, SPACE_PLANE, &plane);
}

/* ---- the whole ------------------------------------------------------------------------------ */
static void note_event(struct writer *w, const struct trace_event *event)
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
        note_event(w, trace_event(w->trace, i));
    if (trace_count(w->trace))
        add_plane(w);
    if (trace_dropped(w->trace)) {
        struct text warning = {0};
        text_add(&warning, "Gantry: %" PRIu64 " later events were not kept",
                 trace_dropped(w->trace));
        add_message(&w->out, SPACE_WARNING, &warning);
    }
    return NULL;
}

struct error *xspace_write(const struct trace *trace, char **out, size_t *size)
{
    struct writer writer = {.trace = trace};
    *out = NULL, *size = 0;
    TRY(arena_create(&writer.arena));
    struct error *error = arena_run(writer.arena, write_all, &writer);
    arena_destroy(writer.arena);
    if (!error && (writer.out.size || writer.out.failed))
        return text_finish(&writer.out, out, size);
    text_free(&writer.out);
    return error;
}
