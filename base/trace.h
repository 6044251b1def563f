/* trace.h: records timed events for profilers. Without an active recording, a pair of begin and end
 * costs one load of a flag.
 *
 *     uint64_t began = trace_begin();
 *     ... the work ...
 *     trace_end(began, TRACE_COMPILE, name);
 *
 * Recordings are independent of each other: each receives the events that begin and end while it
 * records. Thread-safe, except that a recording is started, stopped and read by one thread at a
 * time. Times are nanoseconds since 1970, UTC, as profilers expect. */
#ifndef GANTRY_BASE_TRACE_H
#define GANTRY_BASE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum trace_kind { TRACE_COMPILE, TRACE_EXECUTE, TRACE_STEP, TRACE_MEMORY };

enum {
    TRACE_NAME = 104,          /* bytes of a name, NUL included; longer names are truncated */
    TRACE_SPACE = 32,          /* the same of a memory's name */
    TRACE_EVENTS_MAX = 1 << 18 /* per recording; later ones are only counted */
};

/* The executed object, for readers of the recording. */
struct trace_subject {
    int device;
    void *object; /* counted: each event that is recorded retains it; NULL: there is none */
    void (*retain)(void *object);
    void (*release)(void *object);
    /* the client's ids of the launch and of its event that caused it; 0: none */
    int64_t launch, flow;
};

/* A memory of a device after an allocation or a release. */
struct trace_memory {
    char space[TRACE_SPACE];    /* "CPU_0(device)" */
    uint64_t live, peak, limit; /* bytes; limit 0: none */
    int64_t change;             /* bytes; below 0: freed */
    uintptr_t owner;            /* the same for an allocation and its release */
};

struct trace_event {
    enum trace_kind kind;
    int thread; /* the system's thread id */
    uint64_t begin_ns, end_ns;
    struct trace_subject subject; /* object NULL: none was given */
    const void *step; /* TRACE_STEP: part of the program that the thread executes; or NULL */
    struct trace_memory memory; /* TRACE_MEMORY */
    char name[TRACE_NAME];
};

struct trace;

/* 0 when there is no active recording. */
uint64_t trace_begin(void);
/* Records an event from `began` until now; does nothing when `began` is 0. `name` (copied) may be
 * NULL. */
void trace_end(uint64_t began, enum trace_kind kind, const char *name);
/* The same; `subject` (copied) may be NULL. */
void trace_end_of(uint64_t began, enum trace_kind kind, const char *name,
                  const struct trace_subject *subject);
/* A TRACE_STEP. `step` lives at least until the next event of this thread that has a subject: the
 * execution, whose object it is a part of. */
void trace_end_step(uint64_t began, const char *name, const void *step);
/* A TRACE_MEMORY that happened at `at`; does nothing when that is 0. */
void trace_note_memory(uint64_t at, const char *name, const struct trace_memory *memory);

/* Owned: trace_destroy. It does not record yet. */
struct error *trace_create(struct trace **out);
/* Does nothing when it already records. Earlier events are dropped. */
void trace_start(struct trace *trace);
void trace_stop(struct trace *trace);
bool trace_records(const struct trace *trace);
/* The events of a stopped recording, in the order of their ends; borrowed until it is started or
 * destroyed. */
size_t trace_count(const struct trace *trace);
const struct trace_event *trace_event(const struct trace *trace, size_t i);
/* Events that were dropped because of TRACE_EVENTS_MAX or failed allocations. */
uint64_t trace_dropped(const struct trace *trace);
uint64_t trace_started_ns(const struct trace *trace);
/* Stops it first; NULL is accepted. */
void trace_destroy(struct trace *trace);

#endif
