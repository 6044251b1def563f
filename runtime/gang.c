/* gang.c: see gang.h. An open gang, which lacks devices, is in the list of its client; one thread
 * of the pool watches the list for gangs that are overdue. */
#include "runtime/gang.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/env.h"
#include "base/futex.h"
#include "base/log.h"
#include "base/pool.h"
#include "base/text.h"
#include "runtime/execute_queue.h"
#include "runtime/gang_state.h"

enum { DEFAULT_TIMEOUT = 40, MAX_NAMED = 16 }; /* seconds; devices that a message names */

static int64_t timeout_ns(void)
{
    return CLOCK_SECOND * env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, DEFAULT_TIMEOUT);
}

/* ---- the list -------------------------------------------------------------------------------- */
/* A child has only the thread that forked; the jobs of open gangs are those of the parent. */
static void in_child(struct fork_lock *lock)
{
    struct gangs *gangs = (struct gangs *)lock;
    gangs->first = gangs->line = NULL;
    gangs->is_watched = false;
}

struct error *gangs_create(struct gangs **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    fork_lock_init(&(*out)->lock, FORK_GANGS, in_child);
    return NULL;
}

static void release_list(struct gangs *gangs)
{
    if (!refs_release(&gangs->refs))
        return;
    fork_lock_remove(&gangs->lock);
    for (struct scope *next, *at = gangs->scopes; at; at = next) {
        next = at->next;
        alloc_free(at);
    }
    alloc_free(gangs);
}

void gangs_destroy(struct gangs *gangs)
{
    if (!gangs)
        return;
    atomic_fetch_add(&gangs->changes, 1);
    futex_wake(&gangs->changes, FUTEX_ALL);
    release_list(gangs);
}

/* Requires the lock. */
static void close_gang(struct gang *gang)
{
    struct gang **at = &gang->gangs->first;
    while (*at && *at != gang)
        at = &(*at)->next;
    if (*at)
        *at = gang->next;
    gang->is_open = false;
}

/* ---- a gang ---------------------------------------------------------------------------------- */
static bool spans_processes(const struct loaded_executable *executable)
{
    return executable->local_count < executable->device_count;
}

static struct error *connect(const struct loaded_executable *executable, struct communicator **out)
{
    struct device *device = executable->local_devices[0]->device;
    const struct program *program = executable->executable->program;
    struct communicator_setup setup = {
        .program = program,
        .network = spans_processes(executable) ? executable->client->network : NULL,
        .processes = executable->processes,
        .ordinals = executable->ordinals,
        .scope = executable->scope};
    memcpy(setup.collectives, executable->executable->collectives, sizeof setup.collectives);
    if (!device->ops->connect)
        return ERROR(UNIMPLEMENTED, "'%s' has collectives, which %s does not support",
                     program->name, device->text);
    return device->ops->connect(device, &setup, out);
}

static struct error *create(const struct loaded_executable *executable, int64_t launch_id,
                            struct gang **out)
{
    struct gang *gang;
    size_t count = (size_t)executable->device_count;
    *out = NULL;
    TRY(alloc_zeroed(sizeof *gang + count * sizeof *gang->places, &gang));
    struct error *error = connect(executable, &gang->communicator);
    if (error) {
        alloc_free(gang);
        return error;
    }
    refs_init(&gang->refs);
    gang->gangs = executable->client->gangs;
    gang->executable = executable;
    loaded_executable_retain((struct loaded_executable *)(uintptr_t)executable);
    gang->launch_id = launch_id;
    gang->size = executable->device_count;
    gang->count = executable->local_count;
    *out = gang;
    return NULL;
}

static void leave_line(struct gang *gang);

void gang_retain(struct gang *gang)
{
    refs_retain(&gang->refs);
}

void gang_release(struct gang *gang)
{
    if (!gang || !refs_release(&gang->refs))
        return;
    leave_line(gang);
    communicator_release(gang->communicator);
    loaded_executable_release((struct loaded_executable *)(uintptr_t)gang->executable);
    alloc_free(gang);
}

struct communicator *gang_communicator(struct gang *gang)
{
    return gang->communicator;
}

/* Whether jobs of the two can meet. */
static bool can_meet(const struct loaded_executable *a, const struct loaded_executable *b)
{
    const uint64_t *left = a->executable->collectives, *right = b->executable->collectives;
    return a == b ||
           (a->device_count == b->device_count && left[0] == right[0] && left[1] == right[1] &&
            !memcmp(a->devices, b->devices,
                    (size_t)a->device_count * sizeof(struct client_device *)));
}

/* Requires the lock. */
static struct gang *find_open(struct gangs *gangs, const struct loaded_executable *executable,
                              int64_t launch_id, int ordinal)
{
    for (struct gang *gang = gangs->first; gang; gang = gang->next)
        if (gang->launch_id == launch_id && !gang->places[ordinal].is_reserved &&
            can_meet(gang->executable, executable))
            return gang;
    return NULL;
}

/* ---- starting -------------------------------------------------------------------------------- */
/* Puts the settled jobs into their queues. All at once: the lock makes the order of two gangs the
 * same in all queues. Requires the lock; start_queues() comes next, without it. */
static void enqueue_settled(struct gang *gang)
{
    gang->is_ended = true;
    for (int i = 0; i < gang->size; i++) {
        struct place *place = &gang->places[i];
        struct job *job = place->settled;
        place->settled = NULL;
        if (gang->is_nested)
            place->beside = job;
        else if (job && execute_queue_append(job->device->queue, job))
            place->queue = job->device->queue;
    }
}

/* Not every job of the gang has a thread: those that have one must not wait for the others. */
static void fail_without_threads(struct gang *gang)
{
    struct error *error =
        ERROR(RESOURCE_EXHAUSTED, "no thread could be created for each device of '%s'",
              gang->executable->executable->program->name);
    communicator_fail(gang->communicator, -1, error);
    error_free(error);
}

static bool start_place(struct place *place)
{
    return (!place->queue || execute_queue_start(place->queue)) &&
           (!place->beside || execute_queue_start_beside(place->beside));
}

/* Runs what has no thread, after the gang has failed. */
static void run_here(struct gang *gang, const struct place *place)
{
    fail_without_threads(gang);
    if (place->queue)
        execute_queue_work(place->queue);
    if (place->beside)
        execute_queue_run_beside(place->beside);
}

static void start_queues(struct gang *gang)
{
    for (int i = 0; i < gang->size; i++)
        if (start_place(&gang->places[i]))
            gang->places[i].queue = NULL, gang->places[i].beside = NULL;
    for (int i = 0; i < gang->size; i++)
        if (gang->places[i].queue || gang->places[i].beside)
            run_here(gang, &gang->places[i]);
}

/* A job of a gang that has ended starts alone, to report the gang's error. */
static void start_alone(struct job *job)
{
    struct execute_queue *queue = job->device->queue;
    if (job->gang->is_nested) {
        if (!execute_queue_start_beside(job))
            execute_queue_run_beside(job);
    } else if (execute_queue_append(queue, job) && !execute_queue_start(queue))
        execute_queue_work(queue);
}

/* ---- the line -------------------------------------------------------------------------------- */
/* Requires the lock. */
static struct error *find_scope(struct gangs *gangs, uint64_t id, struct scope **out)
{
    for (*out = gangs->scopes; *out && (*out)->id != id; *out = (*out)->next)
        continue;
    if (*out)
        return NULL;
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->id = id;
    (*out)->next = gangs->scopes;
    gangs->scopes = *out;
    return NULL;
}

/* Whether nothing but other processes keeps a gang waiting that comes now. Requires the lock. */
static bool is_idle(const struct gangs *gangs, const struct loaded_executable *executable)
{
    if (gangs->line)
        return false;
    for (int i = 0; i < executable->local_count; i++)
        if (execute_queue_pending(executable->local_devices[i]->queue))
            return false;
    return true;
}

/* Numbers and announces the gang if its devices are in several processes. `is_whole`: all its jobs
 * come now, and can start. Requires the lock. */
static struct error *join_line(struct gang *gang, bool is_whole)
{
    struct scope *scope;
    struct gang **at = &gang->gangs->line;
    if (!spans_processes(gang->executable))
        return NULL;
    TRY(find_scope(gang->gangs, gang->executable->scope, &scope));
    gang->communicator->sequence = ++scope->sequence;
    communicator_announce(gang->communicator, is_whole && is_idle(gang->gangs, gang->executable));
    while (*at)
        at = &(*at)->next_line;
    *at = gang;
    gang->is_in_line = true;
    return NULL;
}

/* Requires the lock. */
static void remove_from_line(struct gang *gang)
{
    struct gang **at = &gang->gangs->line;
    while (*at && *at != gang)
        at = &(*at)->next_line;
    if (*at)
        *at = gang->next_line;
    gang->is_in_line = false;
}

/* Takes the first gang of the line and fills the queues, if it is ready; owned, or NULL. */
static struct gang *take_ready(struct gangs *gangs)
{
    fork_lock_take(&gangs->lock);
    struct gang *gang = gangs->line;
    if (gang && gang->settled == gang->count) {
        refs_retain(&gang->refs);
        remove_from_line(gang);
        enqueue_settled(gang);
    } else {
        gang = NULL;
    }
    fork_lock_release(&gangs->lock);
    return gang;
}

/* Runs the only job in this process here if the other processes wait for it. */
static void start_here(struct gang *gang)
{
    struct execute_queue *queue = NULL;
    if (gang->count == 1 && communicator_is_awaited(gang->communicator))
        for (int i = 0; i < gang->size && !queue; i++) {
            queue = gang->places[i].queue;
            gang->places[i].queue = NULL;
        }
    if (queue)
        execute_queue_work_once(queue);
    else
        start_queues(gang);
}

/* `here`: a gang that may run on this thread, after the others have started; or NULL. */
static void start_line(struct gangs *gangs, const struct gang *here)
{
    struct gang *own = NULL;
    for (struct gang *gang; (gang = take_ready(gangs));) {
        if (gang == here) {
            own = gang;
            continue;
        }
        start_queues(gang);
        gang_release(gang);
    }
    if (own)
        start_here(own);
    gang_release(own);
}

/* A gang without references that has not started: its jobs could not be prepared. */
static void leave_line(struct gang *gang)
{
    if (!gang->is_in_line)
        return;
    fork_lock_take(&gang->gangs->lock);
    remove_from_line(gang);
    fork_lock_release(&gang->gangs->lock);
    start_line(gang->gangs, NULL);
}

void gang_settle(struct job *job)
{
    struct gang *gang = job->gang;
    struct gangs *gangs = gang->gangs;
    bool is_last = false, may_run_here = job->may_run_here;
    refs_retain(&gang->refs); /* the jobs may complete before this returns */
    fork_lock_take(&gangs->lock);
    bool is_late = gang->is_ended;
    if (!is_late) {
        gang->places[job->ordinal].settled = job;
        is_last = ++gang->settled == gang->count;
    }
    bool starts = is_last && !gang->is_in_line;
    if (starts)
        enqueue_settled(gang);
    fork_lock_release(&gangs->lock);
    if (starts)
        start_queues(gang);
    else if (is_last)
        start_line(gangs, may_run_here ? gang : NULL);
    if (is_late)
        start_alone(job);
    gang_release(gang);
}

/* Ends a gang, which is not in the list, with `error` (moved). */
static void fail(struct gang *gang, struct error *error)
{
    communicator_fail(gang->communicator, -1, error);
    error_free(error);
    fork_lock_take(&gang->gangs->lock);
    bool ends = !gang->is_ended;
    if (ends) {
        remove_from_line(gang);
        enqueue_settled(gang);
    }
    fork_lock_release(&gang->gangs->lock);
    if (ends)
        start_queues(gang);
    start_line(gang->gangs, NULL);
}

/* ---- overdue gangs --------------------------------------------------------------------------- */
/* Requires the lock. */
static struct error *overdue(const struct gang *gang)
{
    struct text missing = {0};
    int named = 0;
    for (int i = 0; i < gang->size; i++)
        if (client_device_is_local(gang->executable->devices[i]) && !gang->places[i].executable &&
            named++ < MAX_NAMED)
            text_add(&missing, "%s%d", named > 1 ? ", " : "", i);
    if (named > MAX_NAMED)
        text_add(&missing, " and %d more", named - MAX_NAMED);
    struct error *error =
        ERROR(DEADLINE_EXCEEDED,
              "'%s' has collectives, but within %lld s only %d of its %d devices executed it; "
              "missing participants: %s. Execute it on all of them, from one call or from a thread "
              "each; GANTRY_COLLECTIVE_TIMEOUT sets the limit in seconds",
              gang->executable->executable->program->name, (long long)(timeout_ns() / CLOCK_SECOND),
              gang->count - named, gang->count, missing.data ? missing.data : "?");
    text_free(&missing);
    return error;
}

/* Whether the gang is overdue; logs a warning half-way. *next becomes the time of the next check.
 * Requires the lock. */
static bool is_overdue(struct gang *gang, int64_t now, int64_t *next)
{
    int64_t warning = gang->deadline - timeout_ns() / 2, check = gang->deadline;
    if (now >= gang->deadline)
        return true;
    if (!gang->has_warned && now >= warning) {
        struct error *error = overdue(gang);
        LOG(WARNING, "still waiting: %s", error_message(error, NULL));
        error_free(error);
        gang->has_warned = true;
    }
    if (!gang->has_warned)
        check = warning;
    *next = check < *next ? check : *next;
    return false;
}

/* Takes an overdue gang from the list (owned), with its error, or NULL. *wait becomes the time
 * until the next check in ns, or 0 when no gang is open: then the caller must exit. */
static struct gang *take_overdue(struct gangs *gangs, struct error **error, int64_t *wait)
{
    int64_t now = clock_now(), next = INT64_MAX;
    fork_lock_take(&gangs->lock);
    struct gang *gang = gangs->first;
    while (gang && !is_overdue(gang, now, &next))
        gang = gang->next;
    if (gang) {
        close_gang(gang);
        refs_retain(&gang->refs);
        *error = overdue(gang);
    }
    *wait = gang || gangs->first ? next - now : 0;
    gangs->is_watched = *wait != 0;
    fork_lock_release(&gangs->lock);
    return gang;
}

static void watch(void *context)
{
    struct gangs *gangs = context;
    for (int64_t wait = 1; wait;) {
        unsigned changes = atomic_load(&gangs->changes);
        struct error *error;
        struct gang *gang = take_overdue(gangs, &error, &wait);
        if (gang) {
            fail(gang, error);
            gang_release(gang);
        } else if (wait) {
            futex_wait_for(&gangs->changes, changes, wait);
        }
    }
    release_list(gangs);
}

static void start_watch(struct gangs *gangs)
{
    refs_retain(&gangs->refs);
    struct error *error = pool_submit(pool_shared(), watch, gangs);
    if (!error)
        return;
    LOG(WARNING, "executions that lack devices will not time out: %s", error_message(error, NULL));
    error_free(error);
    fork_lock_take(&gangs->lock);
    gangs->is_watched = false;
    fork_lock_release(&gangs->lock);
    release_list(gangs);
}

/* ---- places ---------------------------------------------------------------------------------- */
/* Requires the lock. Returns whether the list needs a watcher. */
static bool open_gang(struct gangs *gangs, struct gang *gang, bool first)
{
    struct gang **at = &gangs->first;
    while (!first && *at)
        at = &(*at)->next;
    gang->next = *at;
    *at = gang;
    gang->is_open = true;
    bool starts = !gangs->is_watched;
    gangs->is_watched = true;
    return starts;
}

/* Requires the lock. */
static void reserve(struct gang *gang, int ordinal)
{
    gang->places[ordinal].is_reserved = true;
    gang->deadline = clock_now() + timeout_ns();
    gang->has_warned = false;
    if (++gang->reserved == gang->count)
        close_gang(gang);
}

struct error *gang_reserve(const struct loaded_executable *executable, int64_t launch_id,
                           int ordinal, bool can_start, struct gang **out)
{
    struct gangs *gangs = executable->client->gangs;
    struct gang *made, *known = NULL;
    struct error *error = NULL;
    bool starts = false;
    TRY(create(executable, launch_id, &made));
    bool is_whole = ordinal < 0 || made->count == 1;
    *out = made;
    bool is_nested = execute_queue_in_job();
    fork_lock_take(&gangs->lock);
    if (!is_whole)
        known = find_open(gangs, executable, launch_id, ordinal);
    if (known) {
        refs_retain(&known->refs);
        *out = known;
    } else {
        error = join_line(made, is_whole && can_start);
        if (!error && !is_whole)
            starts = open_gang(gangs, made, false);
    }
    (*out)->is_nested |= is_nested;
    if (!error && !is_whole)
        reserve(*out, ordinal);
    fork_lock_release(&gangs->lock);
    if (starts)
        start_watch(gangs);
    if (known || error)
        gang_release(made);
    return error;
}

void gang_leave(struct gang *gang, int ordinal)
{
    struct gangs *gangs = gang->gangs;
    bool starts = false;
    if (gang->count == 1)
        return;
    fork_lock_take(&gangs->lock);
    gang->places[ordinal].is_reserved = false;
    if (--gang->reserved == 0)
        close_gang(gang);
    else if (!gang->is_open && !gang->is_ended)
        starts = open_gang(gangs, gang, true);
    fork_lock_release(&gangs->lock);
    if (starts)
        start_watch(gangs);
}

void gang_join(struct gang *gang, struct job *job)
{
    fork_lock_take(&gang->gangs->lock);
    gang->places[job->ordinal].executable = job->executable;
    fork_lock_release(&gang->gangs->lock);
    refs_retain(&gang->refs);
    job->gang = gang;
}

/* ---- cancellation ---------------------------------------------------------------------------- */
static bool uses(const struct gang *gang, const struct loaded_executable *executable)
{
    bool found = !executable || gang->executable == executable;
    for (int i = 0; i < gang->size && !found; i++)
        found = gang->places[i].executable == executable;
    return found;
}

/* Takes an open gang of the executable from the list (owned), or NULL. */
static struct gang *take_open(struct gangs *gangs, const struct loaded_executable *executable)
{
    fork_lock_take(&gangs->lock);
    struct gang *gang = gangs->first;
    while (gang && !uses(gang, executable))
        gang = gang->next;
    if (gang) {
        close_gang(gang);
        refs_retain(&gang->refs);
    }
    fork_lock_release(&gangs->lock);
    return gang;
}

void gangs_cancel(struct gangs *gangs, const struct loaded_executable *executable)
{
    for (struct gang *gang; (gang = take_open(gangs, executable));) {
        fail(gang, ERROR(CANCELLED,
                         "the execution of '%s' was stopped before all its devices executed it: %s",
                         gang->executable->executable->program->name,
                         executable ? "its executable was deleted" : "the client was destroyed"));
        gang_release(gang);
    }
}
