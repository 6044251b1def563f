#include "runtime/event.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/refs.h"

struct waiter { /* a callback to be called when the event is set */
    struct waiter *next;
    void (*callback)(struct error *error, void *context);
    void *context;
    struct event *follower; /* the event that the callback sets; or NULL */
    bool keeps;             /* owns a reference to the follower */
};

struct event {
    struct refs refs;
    bool by_client;
    _Atomic(const void *) owner;
    atomic_uint ready;   /* 0 or 1; set last, with release; `error` does not change after it */
    struct error *error; /* owned */
    /* guarded by `lock` */
    bool by_thread;       /* a thread of Gantry will set it */
    const void *promisee; /* or NULL */
    struct waiter *waiters, **last;
    struct event *next, **place; /* links in `unfinished`; place is NULL outside of it */
    struct event *batched[2];    /* the next one of a batch() of ready events or promises */
    uint64_t search;             /* the last search that found it (leads_to()) */
    struct event *found;         /* the next one that this search has to look at */
};

static void in_child(struct fork_lock *unused);
static struct fork_lock lock = FORK_LOCK(FORK_EVENTS, in_child);
/* Events that are not ready or have pending callbacks; guarded by `lock`. */
static struct event *unfinished;
/* In a forked child: `unfinished` may contain ready events whose callbacks no thread will call. */
static atomic_bool orphans;

/* Most events are ready without an error when they are created. They all share this object, which
 * is not reference-counted, so that a cheap execution allocates no event. */
static struct event always_ready = {.ready = 1};

/* ---- creation -------------------------------------------------------------------------------- */
static void list_add(struct event *event)
{
    event->next = unfinished;
    event->place = &unfinished;
    if (event->next)
        event->next->place = &event->next;
    unfinished = event;
}

static void list_remove(struct event *event)
{
    if (!event->place)
        return;
    *event->place = event->next;
    if (event->next)
        event->next->place = event->place;
    event->place = NULL;
}

static struct error *allocate(struct event **out)
{
    struct event *event;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *event, &event));
    refs_init(&event->refs);
    event->last = &event->waiters;
    *out = event;
    return NULL;
}

static struct error *make(bool by_client, bool by_thread, struct event **out)
{
    TRY(allocate(out));
    (*out)->by_client = by_client;
    (*out)->by_thread = by_thread;
    fork_lock_take(&lock);
    list_add(*out);
    fork_lock_release(&lock);
    return NULL;
}

struct error *event_create(struct event **out)
{
    return make(false, false, out);
}

struct error *event_create_by_thread(struct event **out)
{
    return make(false, true, out);
}

struct error *event_create_by_client(struct event **out)
{
    return make(true, false, out);
}

struct error *event_create_ready(struct error *error, struct event **out)
{
    *out = &always_ready;
    if (!error)
        return NULL;
    struct error *failure = allocate(out);
    if (failure) {
        error_free(error);
        return failure;
    }
    (*out)->error = error;
    atomic_store_explicit(&(*out)->ready, 1, memory_order_release);
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

static void free_waiter(struct waiter *waiter)
{
    if (waiter->keeps)
        event_release(waiter->follower);
    alloc_free(waiter);
}

static void drop_waiters(struct event *event)
{
    for (struct waiter *waiter = event->waiters, *next; waiter; waiter = next) {
        next = waiter->next;
        free_waiter(waiter);
    }
}

void event_release(struct event *event)
{
    if (!event || event == &always_ready || !refs_release(&event->refs))
        return;
    if (event->place) { /* not set, or callbacks pending in a forked child */
        fork_lock_take(&lock);
        list_remove(event);
        fork_lock_release(&lock);
    }
    drop_waiters(event);
    error_free(event->error);
    alloc_free(event);
}

void event_drop(struct event *event)
{
    if (event && event->by_client && !event_is_ready(event))
        error_free(event_set(event, ERROR(CANCELLED, "the event was destroyed before it was set")));
    event_release(event);
}

/* ---- callbacks ------------------------------------------------------------------------------- */
/* Removes the next callback of a ready event. Returns NULL when there are none left; the event is
 * then finished. The caller holds `lock`. */
static struct waiter *next_waiter(struct event *event)
{
    struct waiter *waiter = event->waiters;
    if (!waiter) {
        list_remove(event);
        return NULL;
    }
    event->waiters = waiter->next;
    if (waiter->follower)
        waiter->follower->by_thread = true;
    return waiter;
}

static void call(struct waiter *waiter, const struct error *error)
{
    waiter->callback(error ? error_copy(error) : NULL, waiter->context);
    free_waiter(waiter);
}

/* Callbacks stay in the event until they are called, so that a forked child finds the pending
 * ones. */
static void call_all(struct event *event)
{
    for (;;) {
        fork_lock_take(&lock);
        struct waiter *waiter = next_waiter(event);
        fork_lock_release(&lock);
        if (!waiter)
            return;
        call(waiter, event->error);
    }
}

/* ---- fork ------------------------------------------------------------------------------------ */
static void set_ready(struct event *event, struct error *error)
{
    event->error = error;
    atomic_store_explicit(&event->ready, 1, memory_order_release);
}

static void in_child(struct fork_lock *unused)
{
    (void)unused;
    for (struct event *event = unfinished; event; event = event->next) {
        if (!event_is_ready(event) && event->by_thread)
            set_ready(event, ERROR(CANCELLED, "the execution was in flight when the process was "
                                              "forked: it continues only in the parent process"));
        if (event_is_ready(event))
            atomic_store(&orphans, true);
    }
}

/* Unfinished events as a list linked by `batched`, each retained: the ready ones if `promisee` is
 * NULL, else the unready ones promised to `promisee`. */
static struct event *batch(const void *promisee)
{
    struct event *first = NULL;
    fork_lock_take(&lock);
    for (struct event *event = unfinished; event; event = event->next) {
        bool wanted = promisee ? !event_is_ready(event) && event->promisee == promisee
                               : event_is_ready(event);
        if (wanted && refs_retain_live(&event->refs)) {
            event->batched[promisee != NULL] = first;
            first = event;
        }
    }
    fork_lock_release(&lock);
    return first;
}

/* In a forked child: calls the callbacks that threads of the parent would have called. */
static void adopt_orphans(void)
{
    if (!atomic_load_explicit(&orphans, memory_order_relaxed) || !atomic_exchange(&orphans, false))
        return;
    for (struct event *event = batch(NULL), *next; event; event = next) {
        next = event->batched[0];
        call_all(event);
        event_release(event);
    }
}

/* ---- setting --------------------------------------------------------------------------------- */
/* Makes the event ready with `error`; returns false when it already was. */
static bool set_once(struct event *event, struct error *error)
{
    fork_lock_take(&lock);
    bool first = !event_is_ready(event);
    if (first) {
        refs_retain(&event->refs); /* callbacks may drop the caller's reference */
        set_ready(event, error);
    }
    fork_lock_release(&lock);
    if (!first)
        return false;
    futex_wake(&event->ready, FUTEX_ALL);
    call_all(event);
    event_release(event);
    return true;
}

struct error *event_set(struct event *event, struct error *error)
{
    if (set_once(event, error))
        return NULL;
    error_free(error);
    return ERROR(FAILED_PRECONDITION, "the event is already set");
}

struct error *event_set_by_client(struct event *event, struct error *error)
{
    if (event->by_client)
        return event_set(event, error);
    error_free(error);
    return ERROR(
        FAILED_PRECONDITION,
        "the event was created by the plugin; only events from PJRT_Event_Create can be set");
}

/* ---- queries --------------------------------------------------------------------------------- */
bool event_is_ready(struct event *event)
{
    return atomic_load_explicit(&event->ready, memory_order_acquire);
}

struct error *event_await(struct event *event)
{
    while (!event_is_ready(event)) {
        adopt_orphans();
        futex_wait(&event->ready, 0);
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

/* Whether `to` is `from`, or is set after it: by its followers, their followers, and so on. The
 * caller holds `lock`. */
static bool leads_to(struct event *from, const struct event *to)
{
    static uint64_t search;
    struct event *list = from;
    from->search = ++search, from->found = NULL;
    while (list && list != to) {
        const struct waiter *waiter = list->waiters;
        list = list->found;
        for (; waiter; waiter = waiter->next) {
            struct event *follower = waiter->follower;
            if (!follower || follower->search == search)
                continue;
            follower->search = search, follower->found = list;
            list = follower;
        }
    }
    return list != NULL;
}

/* Appends the waiter; returns false when the event is ready. */
static bool enqueue_locked(struct event *event, struct waiter *waiter)
{
    if (event_is_ready(event))
        return false;
    *event->last = waiter;
    event->last = &waiter->next;
    if (waiter->follower)
        waiter->follower->by_thread = false; /* until the callback is called */
    return true;
}

static bool enqueue(struct event *event, struct waiter *waiter)
{
    fork_lock_take(&lock);
    bool waits = enqueue_locked(event, waiter);
    fork_lock_release(&lock);
    return waits;
}

struct error *event_follow(struct event *event,
                           void (*callback)(struct error *error, void *context), void *context,
                           struct event *follower)
{
    adopt_orphans();
    if (!event_is_ready(event)) {
        struct waiter *waiter;
        TRY(alloc_bytes(sizeof *waiter, &waiter));
        *waiter = (struct waiter){NULL, callback, context, follower, false};
        if (enqueue(event, waiter))
            return NULL;
        alloc_free(waiter);
    }
    callback(event->error ? error_copy(event->error) : NULL, context);
    return NULL;
}

static void do_nothing(struct error *error, void *unused)
{
    (void)unused;
    error_free(error);
}

struct error *event_depend(struct event *event, struct event *follower)
{
    struct waiter *waiter;
    adopt_orphans();
    TRY(alloc_bytes(sizeof *waiter, &waiter));
    *waiter = (struct waiter){NULL, do_nothing, NULL, follower, true};
    event_retain(follower); /* whoever was to set it may give up first */
    fork_lock_take(&lock);
    bool circular = !event_is_ready(event) && leads_to(follower, event);
    bool waits = !circular && enqueue_locked(event, waiter);
    fork_lock_release(&lock);
    if (!waits)
        free_waiter(waiter);
    return circular
               ? ERROR(INVALID_ARGUMENT, "it becomes ready only after the event that waits for it")
               : NULL;
}

struct error *event_on_ready(struct event *event,
                             void (*callback)(struct error *error, void *context), void *context)
{
    return event_follow(event, callback, context, NULL);
}

/* ---- promises -------------------------------------------------------------------------------- */
void event_promise(struct event *event, const void *promisee)
{
    fork_lock_take(&lock);
    event->promisee = promisee;
    fork_lock_release(&lock);
}

bool event_is_promised(struct event *event)
{
    fork_lock_take(&lock);
    bool promised = event->promisee && !event_is_ready(event);
    fork_lock_release(&lock);
    return promised;
}

void event_cancel_promises(const void *promisee, const char *message)
{
    for (struct event *event = batch(promisee), *next; event; event = next) {
        next = event->batched[1];
        error_free(event_set(event, ERROR(CANCELLED, "%s", message)));
        event_release(event);
    }
}

/* ---- marks ----------------------------------------------------------------------------------- */
void event_mark(struct event *event, const void *owner)
{
    if (event != &always_ready)
        event->owner = owner;
}

const void *event_owner(const struct event *event)
{
    return event->owner;
}
