#include "runtime/event.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/alloc.h"
#include "base/refs.h"

struct waiter { /* a callback to be called when the event is set */
    struct waiter *next;
    void (*callback)(struct error *error, void *context);
    void *context;
};

struct event {
    struct refs refs;
    bool by_client;
    atomic_bool ready; /* set last, with release; `error` does not change after it */
    struct error *error;
    pthread_mutex_t lock; /* guards the change to ready, and `waiters` */
    pthread_cond_t changed;
    struct waiter *waiters, **last;
};

/* Most events are ready without an error when they are made: all of these are one object that is
 * never counted, so that a cheap execution allocates no event. */
static struct event always_ready = {.ready = true};

static struct error *make(bool by_client, struct event **out)
{
    struct event *event;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *event, &event));
    refs_init(&event->refs);
    event->by_client = by_client;
    event->last = &event->waiters;
    pthread_mutex_init(&event->lock, NULL);
    pthread_cond_init(&event->changed, NULL);
    *out = event;
    return NULL;
}

struct error *event_create(struct event **out)
{
    return make(false, out);
}

struct error *event_create_by_client(struct event **out)
{
    return make(true, out);
}

struct error *event_create_ready(struct error *error, struct event **out)
{
    *out = &always_ready;
    if (!error)
        return NULL;
    struct error *failure = make(false, out);
    if (failure) {
        error_free(error);
        return failure;
    }
    (*out)->error = error;
    atomic_store_explicit(&(*out)->ready, true, memory_order_release);
    return NULL;
}

struct event *event_ready(void)
{
    return &always_ready;
}

void event_retain(struct event *event)
{
    if (event != &always_ready)
        refs_retain(&event->refs);
}

void event_release(struct event *event)
{
    if (!event || event == &always_ready || !refs_release(&event->refs))
        return;
    error_free(event->error);
    pthread_cond_destroy(&event->changed);
    pthread_mutex_destroy(&event->lock);
    alloc_free(event);
}

void event_drop(struct event *event)
{
    if (event && event->by_client && !event_is_ready(event))
        error_free(event_set(event, ERROR(CANCELLED, "the event was destroyed before it was set")));
    event_release(event);
}

static void call_all(struct waiter *waiter, const struct error *error)
{
    while (waiter) {
        struct waiter *next = waiter->next;
        waiter->callback(error ? error_copy(error) : NULL, waiter->context);
        alloc_free(waiter);
        waiter = next;
    }
}

static struct error *was_set(struct error *error)
{
    error_free(error);
    return ERROR(FAILED_PRECONDITION, "the event is ready already and cannot be set again");
}

struct error *event_set(struct event *event, struct error *error)
{
    if (event == &always_ready)
        return was_set(error);
    pthread_mutex_lock(&event->lock);
    if (atomic_load_explicit(&event->ready, memory_order_relaxed)) {
        pthread_mutex_unlock(&event->lock);
        return was_set(error);
    }
    refs_retain(&event->refs); /* callbacks may drop the caller's reference */
    event->error = error;
    atomic_store_explicit(&event->ready, true, memory_order_release);
    struct waiter *waiters = event->waiters;
    event->waiters = NULL;
    pthread_cond_broadcast(&event->changed);
    pthread_mutex_unlock(&event->lock);
    call_all(waiters, error);
    event_release(event);
    return NULL;
}

struct error *event_set_by_client(struct event *event, struct error *error)
{
    if (event->by_client)
        return event_set(event, error);
    error_free(error);
    return ERROR(FAILED_PRECONDITION, "the event was made by the plugin, which sets it itself");
}

bool event_is_ready(struct event *event)
{
    return atomic_load_explicit(&event->ready, memory_order_acquire);
}

struct error *event_await(struct event *event)
{
    if (!event_is_ready(event)) {
        pthread_mutex_lock(&event->lock);
        while (!atomic_load_explicit(&event->ready, memory_order_relaxed))
            pthread_cond_wait(&event->changed, &event->lock);
        pthread_mutex_unlock(&event->lock);
    }
    return event->error ? error_copy(event->error) : NULL;
}

struct error *event_error(struct event *event)
{
    if (!event_is_ready(event))
        return ERROR(FAILED_PRECONDITION, "the event is not ready yet");
    return event->error ? error_copy(event->error) : NULL;
}

bool event_is_good(struct event *event)
{
    return event_is_ready(event) && !event->error;
}

struct error *event_on_ready(struct event *event,
                             void (*callback)(struct error *error, void *context), void *context)
{
    struct waiter *waiter = NULL;
    if (!event_is_ready(event)) {
        TRY(alloc_zeroed(sizeof *waiter, &waiter));
        waiter->callback = callback;
        waiter->context = context;
        pthread_mutex_lock(&event->lock);
        if (!atomic_load_explicit(&event->ready, memory_order_relaxed)) {
            *event->last = waiter;
            event->last = &waiter->next;
            waiter = NULL;
            pthread_mutex_unlock(&event->lock);
            return NULL;
        }
        pthread_mutex_unlock(&event->lock);
        alloc_free(waiter);
    }
    callback(event->error ? error_copy(event->error) : NULL, context);
    return NULL;
}
