/* xplane.h: writes one plane of a profile (tsl/profiler/protobuf/xplane.proto): lines with events;
 * each name and stat is stored once. All calls must be inside arena_run(), which reports exhausted
 * memory. One thread at a time. */
#ifndef GANTRY_REPORT_XPLANE_H
#define GANTRY_REPORT_XPLANE_H

#include "base/proto.h"

struct xplane_stat {
    const char *name;
    const char *text;          /* the value; NULL: `bytes` are */
    const struct proto *bytes; /* NULL: `real` is, or `number` if that is 0 */
    double real;
    int64_t number;
};

/* Data shared by many events (XEventMetadata): an operation of a program. */
struct xplane_kind {
    int64_t id; /* its number in the plane, which no other kind has; 0: the next */
    const char *name;
    const char *short_name; /* by which viewers show it; NULL: `name` */
    const struct xplane_stat *stats;
    int stat_count;
};

struct xplane_event {
    const char *name;  /* NULL: that of `kind` */
    int64_t offset_ps; /* after the line's start; at least 0 */
    int64_t duration_ps;
    const struct xplane_stat *stats;
    int stat_count;
    int64_t kind; /* xplane_kind(); not used if there is a name */
};

struct xplane;

/* In the arena. `name` is copied. */
struct xplane *xplane_create(struct arena *arena, int64_t id, const char *name);
void xplane_stat(struct xplane *plane, const struct xplane_stat *stat); /* of the plane itself */
/* Adds a kind of events, and returns its number. */
int64_t xplane_kind(struct xplane *plane, const struct xplane_kind *kind);
/* Returns the number of the new line: 0, 1, 2 ... A line without events is left out. */
int xplane_line(struct xplane *plane, int64_t id, const char *name, uint64_t start_ns);
void xplane_event(struct xplane *plane, int line, const struct xplane_event *event);
/* Adds the plane to a message. Nothing may be added to the plane afterwards. */
void xplane_write(struct xplane *plane, struct proto *to, int field);

#endif
