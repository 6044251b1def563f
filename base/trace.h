/* trace.h: what happened when, for profilers. Nothing is recorded, and a pair of begin and end
 * costs one load of a flag, unless a recording is going on.
 *
 *     uint64_t began = trace_begin();
 *     ... the work ...
 *     trace_end(began, TRACE_COMPILE, name);
 *
 * Recordings are independent of each other: each gets the events that begin and end while it
 * records. Thread-safe, but that one recording is started, stopped and read by one thread at a
 * time. Times are nanoseconds since 1970, UTC, as profilers want them. */
#ifndef GANTRY_BASE_TRACE_H
#define GANTRY_BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum trace_kind { TRACE_COMPILE, TRACE_EXECUTE, TRACE_STEP };

enum {
    TRACE_NAME = 104,          /* bytes of a name, the NUL included; longer ones are cut */
    TRACE_EVENTS_MAX = 1 << 18 /* of a recording; later ones are counted only */
};

struct trace_event {
    enum trace_kind kind;
    int thread; /* the system's number of it */
    uint64_t begin_ns, end_ns;
    char name[TRACE_NAME];
};

struct trace;

/* 0 when nothing records. */
uint64_t trace_begin(void);
/* The event that began then ends now; nothing when `began` is 0. `name` (copied) may be NULL. */
void trace_end(uint64_t began, enum trace_kind kind, const char *name);

/* Owned; it does not record yet. */
struct error *trace_create(struct trace **out);
/* Nothing when it records already; what it recorded before is dropped. */
void trace_start(struct trace *trace);
void trace_stop(struct trace *trace);
bool trace_records(const struct trace *trace);
/* Of a stopped recording, in the order of their ends; borrowed until it is started or destroyed. */
size_t trace_count(const struct trace *trace);
const struct trace_event *trace_event(const struct trace *trace, size_t i);
/* Events that were not kept, by TRACE_EVENTS_MAX or want of memory. */
uint64_t trace_dropped(const struct trace *trace);
uint64_t trace_started_ns(const struct trace *trace);
/* Stops it first; NULL is accepted. */
void trace_destroy(struct trace *trace);

#endif
