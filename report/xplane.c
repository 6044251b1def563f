#include "report/xplane.h"

#include <string.h>

#include "base/map.h"
#include "base/vec.h"

/* Field numbers of xplane.proto. */
enum { PLANE_ID = 1, PLANE_NAME = 2, PLANE_LINE = 3, PLANE_KINDS = 4, PLANE_STATS = 5 };
enum { PLANE_OWN_STAT = 6 };
enum { LINE_ID = 1, LINE_NAME = 2, LINE_START_NS = 3, LINE_EVENT = 4 };
enum { EVENT_METADATA = 1, EVENT_OFFSET_PS = 2, EVENT_DURATION_PS = 3, EVENT_STAT = 4 };
enum { STAT_METADATA = 1, STAT_DOUBLE = 2, STAT_INT64 = 4, STAT_BYTES = 6, STAT_REFERENCE = 7 };
enum { METADATA_ID = 1, METADATA_NAME = 2 };
enum { KIND_SHORT_NAME = 4, KIND_STATS = 5 };
enum { MAP_KEY = 1, MAP_VALUE = 2 };

struct line {
    struct proto message;
    bool has_events;
};

struct xplane {
    struct arena *arena;
    struct map *events, *stats; /* name to number */
    int64_t last_kind;          /* the greatest number of a kind that was counted */
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

static void add_stat(struct xplane *plane, const struct xplane_stat *from, struct proto *to,
                     int field)
{
    struct proto *stat = &plane->stat;
    stat->size = 0;
    proto_number(stat, STAT_METADATA, id_of(plane->stats, from->name));
    if (from->text)
        proto_number(stat, STAT_REFERENCE, id_of(plane->stats, from->text));
    else if (from->bytes)
        proto_message(stat, STAT_BYTES, from->bytes);
    else if (from->real != 0)
        proto_double(stat, STAT_DOUBLE, from->real);
    else
        proto_number(stat, STAT_INT64, from->number);
    proto_message(to, field, stat);
}

void xplane_stat(struct xplane *plane, const struct xplane_stat *stat)
{
    add_stat(plane, stat, &plane->out, PLANE_OWN_STAT);
}

/* ---- kinds ----------------------------------------------------------------------------------- */
/* An entry of map<int64, X>, where X starts with its number and its name. */
static void add_entry(struct proto *to, int field, int64_t id, const struct proto *value)
{
    struct proto entry = {.arena = to->arena};
    proto_number(&entry, MAP_KEY, id);
    proto_message(&entry, MAP_VALUE, value);
    proto_message(to, field, &entry);
}

int64_t xplane_kind(struct xplane *plane, const struct xplane_kind *kind)
{
    int64_t id = kind->id ? kind->id : ++plane->last_kind;
    struct proto metadata = {.arena = plane->arena};
    proto_number(&metadata, METADATA_ID, id);
    proto_string(&metadata, METADATA_NAME, kind->name);
    if (kind->short_name)
        proto_string(&metadata, KIND_SHORT_NAME, kind->short_name);
    for (int i = 0; i < kind->stat_count; i++)
        add_stat(plane, &kind->stats[i], &metadata, KIND_STATS);
    add_entry(&plane->out, PLANE_KINDS, id, &metadata);
    return id;
}

static int64_t kind_named(struct xplane *plane, const char *name)
{
    size_t size = strlen(name);
    intptr_t id = (intptr_t)map_get(plane->events, name, size);
    if (!id) {
        id = (intptr_t)xplane_kind(plane, &(struct xplane_kind){.name = name});
        map_put(plane->events, name, size, (void *)id);
    }
    return id;
}

/* ---- events ---------------------------------------------------------------------------------- */
void xplane_event(struct xplane *plane, int line, const struct xplane_event *from)
{
    struct proto *event = &plane->event;
    event->size = 0;
    proto_number(event, EVENT_METADATA, from->name ? kind_named(plane, from->name) : from->kind);
    proto_number(event, EVENT_OFFSET_PS, from->offset_ps);
    proto_number(event, EVENT_DURATION_PS, from->duration_ps);
    for (int i = 0; i < from->stat_count; i++)
        add_stat(plane, &from->stats[i], event, EVENT_STAT);
    proto_message(&plane->lines.items[line].message, LINE_EVENT, event);
    plane->lines.items[line].has_events = true;
}

static void add_stat_names(struct xplane *plane)
{
    const void *name;
    size_t size;
    for (size_t i = 0; i < map_count(plane->stats); i++) {
        intptr_t id = (intptr_t)map_at(plane->stats, i, &name, &size);
        struct proto metadata = {.arena = plane->arena};
        proto_number(&metadata, METADATA_ID, id);
        proto_text(&metadata, METADATA_NAME, name, size);
        add_entry(&plane->out, PLANE_STATS, id, &metadata);
    }
}

void xplane_write(struct xplane *plane, struct proto *to, int field)
{
    for (size_t i = 0; i < plane->lines.count; i++)
        if (plane->lines.items[i].has_events)
            proto_message(&plane->out, PLANE_LINE, &plane->lines.items[i].message);
    add_stat_names(plane);
    proto_message(to, field, &plane->out);
}
