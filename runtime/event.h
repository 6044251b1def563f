/* event.h: the completion of an operation. An event becomes ready once, with or without an error,
 * and calls every callback once, with no lock held. Thread-safe.
 *
 * The party that sets an event determines what happens when it can no longer do so:
 *
 *   a thread of Gantry   in a forked child, which lacks that thread, the event is ready with the
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
/* An event that a thread of Gantry sets. */
struct error *event_create_by_thread(struct event **out);
struct error *event_create_ready(struct error *error /*moved*/, struct event **out);
/* The static event that is ready without an error. Retaining it costs nothing. */
struct event *event_ready(void);
void event_retain(struct event *event);
void event_release(struct event *event); /* accepts NULL */

/* Makes the event ready; `error` is moved (NULL: success). FAILED_PRECONDITION when it was ready
 * before. Callbacks run on this thread after the lock is released; they may call any function, and
 * release the event. */
struct error *event_set(struct event *event, struct error *error);
bool event_is_ready(struct event *event);
bool event_is_good(struct event *event); /* ready without an error */
/* Waits; returns an owned copy of the event's error, or NULL. */
struct error *event_await(struct event *event);
/* An owned copy of the error of a ready event (NULL: success); FAILED_PRECONDITION when not
 * ready. */
struct error *event_error(struct event *event);
/* Calls callback(error, context) once: now, on this thread, if the event is ready; else later, on
 * the thread that sets it. The callback owns the error (NULL: success). */
struct error *event_on_ready(struct event *event,
                             void (*callback)(struct error *error, void *context), void *context);
/* The same; `follower` is the event that the callback sets, now or later on a thread of Gantry. */
struct error *event_follow(struct event *event,
                           void (*callback)(struct error *error, void *context), void *context,
                           struct event *follower);

/* Notes that the caller will set `follower` (retained until then) once `event` is ready; it may
 * also be set earlier, such as after a failure. INVALID_ARGUMENT if `event` is
 * `follower`, or is set after it by event_follow() or event_depend(): neither would ever be ready.
 * Of several threads that would together close a circle, one gets the error. */
struct error *event_depend(struct event *event, struct event *follower);

/* An owner pointer, set by the code that will set the event. It is NULL at first, and always NULL
 * in an event that is created ready. */
void event_mark(struct event *event, const void *owner);
const void *event_owner(const struct event *event);

/* ---- promises: events that a client sets later ---- */
/* Marks an unready event as promised to `promisee`, a key that is not dereferenced. */
void event_promise(struct event *event, const void *promisee);
/* Whether the event is promised and not ready. */
bool event_is_promised(struct event *event);
/* Sets all unready events promised to `promisee` to CANCELLED with `message`. */
void event_cancel_promises(const void *promisee, const char *message);

/* ---- events that a client creates and sets ---- */
struct error *event_create_by_client(struct event **out);
/* As event_set, but FAILED_PRECONDITION unless the event was created by event_create_by_client. */
struct error *event_set_by_client(struct event *event, struct error *error);
/* For PJRT_Event_Destroy: an unready event of the client's becomes ready with CANCELLED; then the
 * reference is released. Accepts NULL. */
void event_drop(struct event *event);

#endif
