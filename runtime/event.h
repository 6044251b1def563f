/* event.h: something that will be done: it becomes ready once, with an error or without, and calls every
 * callback once. Thread-safe. */
#ifndef GANTRY_RUNTIME_EVENT_H
#define GANTRY_RUNTIME_EVENT_H

#include <stdbool.h>

#include "base/error.h"

struct event;

struct error *event_create(struct event **out); /* owned: event_release */
struct error *event_create_ready(struct error *error /*moved*/, struct event **out);
void event_retain(struct event *event);
void event_release(struct event *event); /* accepts NULL */

/* Makes it ready; `error` is moved (NULL: success). FAILED_PRECONDITION when it was ready before. Callbacks
 * run on this thread, after the event's lock is given up; they may call anything, release the event too. */
struct error *event_set(struct event *event, struct error *error);
bool event_is_ready(struct event *event);
/* Waits; returns an owned copy of the event's error, or NULL. */
struct error *event_await(struct event *event);
/* An owned copy of the error of a ready event (NULL: success); FAILED_PRECONDITION when not ready. */
struct error *event_error(struct event *event);
/* Calls callback(error, context) once: now, on this thread, when the event is ready; else on the thread that sets it.
 * The error is owned by the callback (NULL: success). */
struct error *event_on_ready(struct event *event, void (*callback)(struct error *error, void *context),
                             void *context);

#endif
