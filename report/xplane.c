#include "report/xplane.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"

/* Field numbers of xplane.proto. */
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINE = 3, PLANE_EVENTS = 4, PLANE_STATS = 5 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START_NS = 3, LINE_EVENT = 4 };
enum { EVENT_METADATA = 1, EVENT_OFFSET_PS = 2, EVENT_DURATION_PS = 3, EVENT_STAT = 4 };
enum { STAT_METADATA = 1, STAT_INT64 = 4, STAT_REFERENCE = 7 };
enum { METADATA_ID = 1, METADATA_NAME = 2 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };

struct line {
    struct proto message;
    bool has_events;
};

struct xplane {
    struct arena *arena;
    struct map *events, *stats; /* name to metadata id */
    VEC(struct line) lines;
    struct proto out;
    struct proto event, stat; /* that are being written */
};

struct xplane *xplane_create(struct arena *arena, int64_t id, const char *name)
{
    struct xplane *plane = ARENA_NEW(arena, struct xplane);
    plane->arena = plane->out.arena = plane->event.arena = plane->stat.arena = arena;
    plane->events = map_create(arena);
    plane->stats = map_create(arena);
    proto_number(&plane->out, PLANE_ID, id);
    proto_string(&plane->out, PLANE_NAME, name);
    return plane;
}

int xplane_line(struct xplane *plane, int64_t id, const char *name, uint64_t start_ns)
{
    struct line line = {.message = {.arena = plane->arena}};
    proto_number(&line.message, LINE_ID, id);
    proto_string(&line.message, LINE_NAME, name);
    proto_number(&line.message, LINE_START_NS, (int64_t)start_ns);
    VEC_PUSH(plane->arena, &plane->lines, line);
    return (int)plane->lines.count - 1;
}

static int64_t id_of(struct map *names, const char *name)
{
    size_t size = strlen(name);
    intptr_t id = (intptr_t)map_get(names, name, size);
    if (!id) {
        id = (intptr_t)map_count(names) + 1;
        map_put(names, name, size, (void *)id);
    }
    return id;
}

static void add_stat(struct xplane *plane, const struct xplane_stat *from)
{
    struct proto *stat = &plane->stat;
    stat->size = 0;
    proto_number(stat, STAT_METADATA, id_of(plane->stats, from->name));
    if (from->text)
        proto_number(stat, STAT_REFERENCE, id_of(plane->stats, from->text));
    else
        proto_number(stat, STAT_INT64, from->number);
    proto_message(&plane->event, EVENT_STAT, stat);
}

void xplane_event(struct xplane *plane, int line, const struct xplane_event *from)
{
    struct proto *event = &plane->event;
    event->size = 0;
    proto_number(event, EVENT_METADATA, id_of(plane->events, from->name));
    proto_number(event, EVENT_OFFSET_PS, from->offset_ps);
    proto_number(event, EVENT_DURATION_PS, from->duration_ps);
    for (int i = 0; i < from->stat_count; i++)
        add_stat(plane, &from->stats[i]);
    proto_message(&plane->lines.items[line].message, LINE_EVENT, event);
    plane->lines.items[line].has_events = true;
}

/* Entries of map<int64, X>, where X starts with its id and its name. */
static void add_names(struct xplane *plane, int field, const struct map *names)
{
    const void *name;
    size_t size;
    for (size_t i = 0; i < map_count(names); i++) {
        intptr_t id = (intptr_t)map_at(names, i, &name, &size);
        struct proto metadata = {.arena = plane->arena}, entry = metadata;
        proto_number(&metadata, METADATA_ID, id);
        proto_bytes(&metadata, METADATA_NAME, name, size);
        proto_number(&entry, MAP_KEY, id);
        proto_message(&entry, MAP_VALUE, &metadata);
        proto_message(&plane->out, field, &entry);
    }
}

void xplane_write(struct xplane *plane, struct proto *to, int field)
{
    for (size_t i = 0; i < plane->lines.count; i++)
        if (plane->lines.items[i].has_events)
            proto_message(&plane->out, PLANE_LINE, &plane->lines.items[i].message);
    add_names(plane, PLANE_EVENTS, plane->events);
    add_names(plane, PLANE_STATS, plane->stats);
    proto_message(to, field, &plane->out);
}
