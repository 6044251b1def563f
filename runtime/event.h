/* event.h: something that will be done: it becomes ready once, with an error or without, and calls
 * every callback once. Thread-safe. */
#ifndef GANTRY_RUNTIME_EVENT_H
#define GANTRY_RUNTIME_EVENT_H

#include <stdbool.h>

#include "base/error.h"

struct event;

struct error *event_create(struct event **out); /* owned: event_release */
struct error *event_create_ready(struct error *error /*moved*/, struct event **out);
/* The event that is ready without an error: static, the same one each time; retaining it costs
 * nothing. */
struct event *event_ready(void);
void event_retain(struct event *event);
void event_release(struct event *event); /* accepts NULL */

/* Makes it ready; `error` is moved (NULL: success). FAILED_PRECONDITION when it was ready before.
 * Callbacks run on this thread, after the event's lock is given up; they may call anything, release
 * the event too. */
struct error *event_set(struct event *event, struct error *error);
bool event_is_ready(struct event *event);
bool event_is_good(struct event *event); /* ready without an error */
/* Waits; returns an owned copy of the event's error, or NULL. */
struct error *event_await(struct event *event);
/* An owned copy of the error of a ready event (NULL: success); FAILED_PRECONDITION when not
 * ready. */
struct error *event_error(struct event *event);
/* Calls callback(error, context) once: now, on this thread, when the event is ready; else on the
 * thread that sets it. The error is owned by the callback (NULL: success). */
struct error *event_on_ready(struct event *event,
                             void (*callback)(struct error *error, void *context), void *context);

/* ---- events that a client makes and sets ---- */
struct error *event_create_by_client(struct event **out);
/* As event_set; FAILED_PRECONDITION when a client did not make the event. */
struct error *event_set_by_client(struct event *event, struct error *error);
/* What a client's destroying means: one of its own that is not set yet becomes ready with
 * CANCELLED; then the reference is released. Accepts NULL. */
void event_drop(struct event *event);

#endif
