/* event.h: the completion of an operation. An event becomes ready once, with an error or without,
 * and calls every callback once, with no lock held. Thread-safe.
 *
 * Who sets an event decides what becomes of it when it can no longer be set:
 *
 *   a thread of Gantry   in a forked child, where that thread is not, the event is ready with the
 *                        error CANCELLED at once (event_create_by_thread, event_follow)
 *   the client, later    a promise: PJRT_Client_Destroy sets it to CANCELLED (event_promise)
 *   the client's own     PJRT_Event_Create; destroying it sets it to CANCELLED (event_drop)
 *
 * A child calls the callbacks of such events at its first use of an event, not inside fork(). */
#ifndef GANTRY_RUNTIME_EVENT_H
#define GANTRY_RUNTIME_EVENT_H

#include <stdbool.h>

#include "base/error.h"

struct event;

struct error *event_create(struct event **out); /* owned: event_release */
/* One that a thread of Gantry sets. */
struct error *event_create_by_thread(struct event **out);
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
/* The same; `follower` is the event that the callback sets, now or later on a thread of Gantry. */
struct error *event_follow(struct event *event,
                           void (*callback)(struct error *error, void *context), void *context,
                           struct event *follower);

/* A mark that whoever will set the event leaves on it. NULL at first, and always in an event that
 * is ready from the start. */
void event_mark(struct event *event, const void *owner);
const void *event_owner(const struct event *event);

/* ---- promises: events that a client sets later ---- */
/* Marks an event that is not ready as promised to `promisee`, a key that is not dereferenced. */
void event_promise(struct event *event, const void *promisee);
/* Sets all events promised to `promisee` that are not ready to CANCELLED with `message`. */
void event_cancel_promises(const void *promisee, const char *message);

/* ---- events that a client makes and sets ---- */
struct error *event_create_by_client(struct event **out);
/* As event_set; FAILED_PRECONDITION when a client did not make the event. */
struct error *event_set_by_client(struct event *event, struct error *error);
/* What a client's destroying means: one of its own that is not set yet becomes ready with
 * CANCELLED; then the reference is released. Accepts NULL. */
void event_drop(struct event *event);

#endif
