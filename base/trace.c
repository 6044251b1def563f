#include "base/trace.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/fork.h"

enum { CHUNK = 1024, CHUNKS_MAX = TRACE_EVENTS_MAX / CHUNK };

struct trace {
    struct trace *next; /* in the list of active recordings */
    bool records;
    uint64_t started_ns, dropped;
    size_t count;
    struct trace_event *chunks[CHUNKS_MAX];
};

/* guards `recording` and its events */
static struct fork_lock lock = FORK_LOCK(FORK_TRACE, NULL);
static struct trace *recording;
static atomic_int recordings; /* number of active recordings */

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

uint64_t trace_begin(void)
{
    return atomic_load_explicit(&recordings, memory_order_relaxed) ? now() : 0;
}

/* The slot of the next event; NULL when the buffer is full. */
static struct trace_event *next_event(struct trace *trace)
{
    size_t chunk = trace->count / CHUNK;
    if (chunk == CHUNKS_MAX)
        return NULL;
    if (!trace->chunks[chunk]) {
        struct error *error =
            alloc_bytes(CHUNK * sizeof(struct trace_event), &trace->chunks[chunk]);
        error_free(error);
        if (error)
            return NULL;
    }
    return &trace->chunks[chunk][trace->count++ % CHUNK];
}

static void record(struct trace_event *to, const struct trace_event *event)
{
    *to = *event;
    if (event->subject.object)
        event->subject.retain(event->subject.object);
}

/* Completes the event and adds it to each recording that had begun when it began. */
static void add(struct trace_event *event, const char *name)
{
    event->thread = (int)syscall(SYS_gettid);
    snprintf(event->name, sizeof event->name, "%s", name ? name : "");
    if (event->end_ns < event->begin_ns) /* the clock was set back */
        event->end_ns = event->begin_ns;
    fork_lock_take(&lock);
    for (struct trace *trace = recording; trace; trace = trace->next) {
        struct trace_event *to = event->begin_ns < trace->started_ns ? event : next_event(trace);
        if (!to)
            trace->dropped++;
        else if (to != event)
            record(to, event);
    }
    fork_lock_release(&lock);
}

void trace_end(uint64_t began, enum trace_kind kind, const char *name)
{
    trace_end_of(began, kind, name, NULL);
}

void trace_end_of(uint64_t began, enum trace_kind kind, const char *name,
                  const struct trace_subject *subject)
{
    if (!began)
        return;
    struct trace_event event = {.kind = kind, .begin_ns = began, .end_ns = now()};
    if (subject)
        event.subject = *subject;
    add(&event, name);
}

void trace_end_step(uint64_t began, const char *name, const void *step)
{
    if (!began)
        return;
    struct trace_event event = {
        .kind = TRACE_STEP, .begin_ns = began, .end_ns = now(), .step = step};
    add(&event, name);
}

void trace_note_memory(uint64_t at, const char *name, const struct trace_memory *memory)
{
    if (!at)
        return;
    struct trace_event event = {
        .kind = TRACE_MEMORY, .begin_ns = at, .end_ns = at, .memory = *memory};
    add(&event, name);
}

struct error *trace_create(struct trace **out)
{
    return alloc_zeroed(sizeof **out, out);
}

static void drop_events(struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        const struct trace_subject *subject = &trace_event(trace, i)->subject;
        if (subject->object)
            subject->release(subject->object);
    }
    for (int i = 0; i < CHUNKS_MAX; i++)
        alloc_free(trace->chunks[i]);
    memset(trace->chunks, 0, sizeof trace->chunks);
    trace->count = 0;
    trace->dropped = 0;
}

void trace_start(struct trace *trace)
{
    if (trace->records)
        return;
    drop_events(trace);
    fork_lock_take(&lock);
    trace->started_ns = now();
    trace->records = true;
    trace->next = recording;
    recording = trace;
    atomic_fetch_add(&recordings, 1);
    fork_lock_release(&lock);
}

void trace_stop(struct trace *trace)
{
    if (!trace->records)
        return;
    fork_lock_take(&lock);
    struct trace **link = &recording;
    while (*link != trace)
        link = &(*link)->next;
    *link = trace->next;
    trace->records = false;
    atomic_fetch_sub(&recordings, 1);
    fork_lock_release(&lock);
}

bool trace_records(const struct trace *trace)
{
    return trace->records;
}

size_t trace_count(const struct trace *trace)
{
    return trace->count;
}

const struct trace_event *trace_event(const struct trace *trace, size_t i)
{
    return &trace->chunks[i / CHUNK][i % CHUNK];
}

uint64_t trace_dropped(const struct trace *trace)
{
    return trace->dropped;
}

uint64_t trace_started_ns(const struct trace *trace)
{
    return trace->started_ns;
}

void trace_destroy(struct trace *trace)
{
    if (!trace)
        return;
    trace_stop(trace);
    drop_events(trace);
    alloc_free(trace);
}
