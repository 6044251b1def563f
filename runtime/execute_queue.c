#include "runtime/execute_queue.h"

#include <stddef.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/pool.h"
#include "memory/numa.h"
#include "runtime/gang.h"
#include "runtime/leaving_jobs.h"
#include "runtime/running_jobs.h"

enum {
    MAX_IN_FLIGHT = 32, /* jobs that may be queued on a device */
    /* Bytes of pending jobs' results; both apply from the third job on. What is released meanwhile
     * is reused by later jobs, so that a loop of executions stays in the last cache if few are
     * pending; results of few bytes hardly add to that. */
    MAX_CACHED_BYTES = 16 << 20,
    MAX_SMALL_BYTES = 64 << 10,
    MAX_IN_FLIGHT_BYTES = 256 << 20
};

enum wait { WAIT_CAPACITY, WAIT_END, WAIT_JOB, WAITS };

struct execute_queue {
    struct fork_lock lock; /* must be first; guards non-atomic fields and event marks */
    struct refs refs;
    int node;                  /* where its thread runs; negative: anywhere */
    atomic_int pending;        /* jobs queued or running */
    atomic_int waiting[WAITS]; /* threads that wait */
    atomic_uint progress;      /* changes when what threads wait for may have come */
    uint64_t bytes;            /* of the results of pending jobs */
    struct job *first, *last;
    struct running_jobs running;
    struct leaving_jobs leaving;
    bool active;           /* a thread of the pool runs the queue's jobs */
    atomic_bool closed;    /* unbounded programs are no longer started */
    atomic_bool abandoned; /* nothing is: the client is gone */
};

/* The queue whose jobs this thread runs, or NULL. Such a thread must not wait for a queue. */
static _Thread_local const struct execute_queue *working;
static _Thread_local bool is_beside; /* not as the queue's thread */

/* ---- progress -------------------------------------------------------------------------------- */
/* Whether a client that waited for capacity continues: it then submits several jobs at once, since
 * being woken for each of them would cost as much as a small one. */
static bool is_half_empty(struct execute_queue *queue)
{
    fork_lock_take(&queue->lock);
    int pending = atomic_load(&queue->pending);
    bool few = pending <= MAX_IN_FLIGHT / 2 && queue->bytes <= MAX_CACHED_BYTES / 2;
    fork_lock_release(&queue->lock);
    return few || pending < 2;
}

/* Called after a job has completed or left the queue. */
static void report_progress(struct execute_queue *queue)
{
    bool ends = atomic_load(&queue->waiting[WAIT_JOB]) ||
                (atomic_load(&queue->waiting[WAIT_END]) && !atomic_load(&queue->pending));
    if (!ends && !(atomic_load(&queue->waiting[WAIT_CAPACITY]) && is_half_empty(queue)))
        return;
    atomic_fetch_add(&queue->progress, 1);
    futex_wake(&queue->progress, FUTEX_ALL);
}

typedef bool condition(struct execute_queue *queue, const void *context);

/* Waits until the condition holds, at the latest until `deadline`; returns false when the client's
 * program interrupts the wait, or at the deadline. */
static bool wait_until_time(struct execute_queue *queue, enum wait wait, condition *holds,
                            const void *context, int64_t deadline)
{
    bool ended = false;
    atomic_fetch_add(&queue->waiting[wait], 1);
    while (!ended) {
        unsigned seen = atomic_load(&queue->progress);
        if (holds(queue, context))
            break;
        ended = interrupt_wait_until(&queue->progress, seen, deadline);
    }
    atomic_fetch_sub(&queue->waiting[wait], 1);
    return !ended;
}

/* The same without a deadline. */
static bool wait_until(struct execute_queue *queue, enum wait wait, condition *holds,
                       const void *context)
{
    return wait_until_time(queue, wait, holds, context, INT64_MAX);
}

static bool has_capacity(struct execute_queue *queue, const void *context)
{
    uint64_t bytes = *(const uint64_t *)context;
    fork_lock_take(&queue->lock);
    int pending = atomic_load(&queue->pending);
    uint64_t most = bytes <= MAX_SMALL_BYTES ? MAX_IN_FLIGHT_BYTES : MAX_CACHED_BYTES;
    bool fits = pending < 2 || queue->bytes + bytes <= most;
    fork_lock_release(&queue->lock);
    return pending < MAX_IN_FLIGHT && fits;
}

static bool is_idle(struct execute_queue *queue, const void *unused)
{
    (void)unused;
    return atomic_load(&queue->pending) == 0;
}

static bool is_finished(struct execute_queue *queue, const void *unused)
{
    (void)unused;
    return atomic_load(&queue->leaving.unfinished) == 0;
}

static bool is_done_or_parked(struct execute_queue *queue, const void *done)
{
    return event_is_ready((struct event *)done) || is_finished(queue, NULL);
}

void execute_queue_wait(struct execute_queue *queue, uint64_t bytes)
{
    if (execute_queue_pending(queue) >= 2 && !working)
        wait_until(queue, WAIT_CAPACITY, has_capacity, &bytes);
}

bool execute_queue_drain(struct execute_queue *queue)
{
    return !working && wait_until(queue, WAIT_END, is_idle, NULL);
}

/* Gives up waiting if what is left of the queue's jobs depends on the client only. */
static bool abandon(struct execute_queue *queue)
{
    struct text text = {0};
    fork_lock_take(&queue->lock);
    bool reports = atomic_load(&queue->leaving.reporting) > 0;
    bool abandoned = running_jobs_in_client(&queue->running, &text) || reports;
    if (abandoned)
        atomic_store(&queue->abandoned, true);
    fork_lock_release(&queue->lock);
    if (abandoned)
        LOG(ERROR,
            "the client is destroyed while one of its functions has not returned: %s. Its data "
            "must remain valid",
            text.data ? text.data : "a callback of an event");
    text_free(&text);
    return abandoned;
}

bool execute_queue_finish(struct execute_queue *queue, int64_t deadline)
{
    bool waits = !working && !is_finished(queue, NULL);
    /* Others than callbacks end: unbounded programs have been stopped. */
    while (waits && !wait_until_time(queue, WAIT_END, is_finished, NULL, deadline)) {
        if (abandon(queue))
            return false;
        deadline = clock_now() + CLOCK_SECOND;
    }
    return waits;
}

void execute_queue_await(struct execute_queue *queue, struct event *done)
{
    if (!working)
        wait_until(queue, WAIT_JOB, is_done_or_parked, done);
}

int execute_queue_pending(const struct execute_queue *queue)
{
    return atomic_load_explicit(&queue->pending, memory_order_acquire);
}

/* ---- running a job --------------------------------------------------------------------------- */
static struct error *stopped(const struct job *job, const char *why)
{
    return ERROR(CANCELLED, "the execution of '%s' was stopped: %s",
                 job->executable->executable->program->name, why);
}

/* The error of an argument becomes the error of the results. */
static struct error *check_start(const struct execute_queue *queue, const struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        TRY(event_error(job->ready[i]));
    if (atomic_load(&queue->abandoned) || (job_is_unbounded(job) && atomic_load(&queue->closed)))
        return stopped(job, "the client was destroyed");
    if (!job_is_unbounded(job))
        return NULL;
    if (atomic_load_explicit(&job->executable->deleted, memory_order_acquire))
        return stopped(job, "its executable was deleted");
    return NULL;
}

/* Removes the job from the pending ones; it becomes a leaving one. */
static void retire(struct execute_queue *queue, struct job *job, struct leaving_job *leaving)
{
    fork_lock_take(&queue->lock);
    running_jobs_remove(job);
    leaving_jobs_begin(&queue->leaving, true, leaving);
    queue->bytes -= job->bytes;
    atomic_fetch_sub(&queue->pending, 1);
    fork_lock_release(&queue->lock);
    report_progress(queue);
}

/* Ends the waits of the gang's other devices, and stops what they run, with the error (moved) of
 * one; returns its own error, which is theirs if they have stopped it. */
static struct error *fail_gang(struct job *job, struct error *error)
{
    struct communicator *communicator = gang_communicator(job->gang);
    communicator_fail(communicator, job->ordinal, error);
    bool is_stopped = error_code(error) == PJRT_Error_Code_CANCELLED;
    struct error *theirs = is_stopped ? communicator_failure(communicator) : NULL;
    if (!theirs)
        return error;
    error_free(error);
    return theirs;
}

/* Runs the job, which is in `running`, to completion. */
static void run_job(struct execute_queue *queue, struct job *job)
{
    struct loaded_executable *executable = job->executable;
    struct event *done = job->done;
    struct execute_context *context = job->context;
    struct host_transfer *host = job->host;
    struct gang *gang = job->gang;
    struct leaving_job leaving;
    struct error *error = check_start(queue, job);
    if (!error && gang)
        error = communicator_enter(gang_communicator(gang), job->ordinal);
    if (!error)
        error = job_launch(job);
    if (error && gang)
        error = fail_gang(job, error);
    job_release_ready(job);
    job_release_arguments(job);
    job_release_results(job);
    retire(queue, job, &leaving);
    alloc_free(job);
    error_free(event_set(done, error));
    event_mark(done, NULL);
    event_release(done);
    execute_context_release(context);
    host_transfer_release(host);
    gang_release(gang);
    loaded_executable_release(executable);
    leaving_jobs_end(&leaving);
    report_progress(queue);
}

/* ---- job order ------------------------------------------------------------------------------- */
static void work(void *context);

/* The same on a thread of the pool, whose affinity is reset afterwards. */
static void work_near_memory(void *context)
{
    struct execute_queue *queue = context;
    bool near =
        queue->node >= 0 && numa_run_near(queue->node); /* read first: work() may free the queue */
    work(queue);
    if (near)
        numa_run_anywhere();
}

/* Returns whether the queue needs a thread. */
static bool append(struct execute_queue *queue, struct job *job)
{
    job->next = NULL;
    fork_lock_take(&queue->lock);
    atomic_fetch_add(&queue->pending, 1);
    queue->bytes += job->bytes;
    event_mark(job->done, queue);
    if (queue->first)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    bool start = !queue->active;
    queue->active = true;
    fork_lock_release(&queue->lock);
    if (start)
        refs_retain(&queue->refs); /* of the thread */
    return start;
}

bool execute_queue_append(struct execute_queue *queue, struct job *job)
{
    atomic_fetch_add(&queue->leaving.unfinished, 1);
    return append(queue, job);
}

bool execute_queue_start(struct execute_queue *queue)
{
    struct error *error = pool_submit(pool_shared(), work_near_memory, queue);
    bool started = !error;
    error_free(error);
    return started;
}

void execute_queue_work(struct execute_queue *queue)
{
    work(queue);
}

/* Appends the job, and starts a thread for the queue if it has none. */
static void enqueue(struct execute_queue *queue, struct job *job)
{
    if (append(queue, job) && !execute_queue_start(queue))
        work(queue); /* no thread can be created: run the jobs here */
}

static bool is_ready(struct job *job)
{
    while (job->checked < job->argument_count && event_is_ready(job->ready[job->checked]))
        job->checked++;
    return job->checked == job->argument_count;
}

/* The argument of a parked job is ready, possibly with an error, which the job will report. */
static void unpark(struct error *error, void *context)
{
    struct job *job = context;
    error_free(error);
    watchdog_end(&job->parked);
    execute_queue_submit(job->device->queue, job);
}

/* Other executions, which fill an argument, are no reason for a warning. */
static bool describe_parked(struct watchdog_wait *wait, struct text *out)
{
    const struct job *job = (struct job *)((char *)wait - offsetof(struct job, parked));
    if (!event_is_promised(job->ready[job->checked]))
        return false;
    text_add(out,
             "the execution of '%s' on %s began %lld s ago, and argument %d is a buffer that the "
             "client created and has yet to fill",
             job->executable->executable->program->name, job->device->device->text,
             (long long)watchdog_seconds(), job->checked);
    return true;
}

/* Parks the job, which has left the queue, until the event that it waits for is ready. */
static void park(struct execute_queue *queue, struct job *job)
{
    struct event *awaited = job->ready[job->checked];
    struct leaving_job leaving;
    leaving_jobs_begin(&queue->leaving, false, &leaving);
    job->may_run_here = false;
    event_retain(awaited);
    watchdog_begin(&job->parked, describe_parked);
    struct error *error = event_follow(awaited, unpark, job, job->done);
    if (error) /* registering failed: wait here */
        unpark(event_await(awaited), job);
    error_free(error);
    event_release(awaited);
    leaving_jobs_end(&leaving);
    report_progress(queue);
}

void execute_queue_submit(struct execute_queue *queue, struct job *job)
{
    /* The event of a job in the queue is ready when a later job of the queue starts. */
    bool settled = is_ready(job) || event_owner(job->ready[job->checked]) == queue;
    if (settled && job->gang) {
        gang_settle(job);
        return;
    }
    atomic_fetch_add(&queue->leaving.unfinished, 1);
    if (settled)
        enqueue(queue, job);
    else
        park(queue, job);
}

/* Takes the first job from the queue and marks it as running when *ready; otherwise the caller
 * parks it. NULL: the queue is empty, and the thread must exit. */
static struct job *next_job(struct execute_queue *queue, bool *ready)
{
    fork_lock_take(&queue->lock);
    struct job *job = queue->first;
    if (!job) {
        queue->active = false;
    } else {
        queue->first = job->next;
        *ready = is_ready(job);
        if (*ready) {
            running_jobs_add(&queue->running, job);
        } else {
            queue->bytes -= job->bytes;
            event_mark(job->done, NULL);
            atomic_fetch_sub(&queue->pending, 1);
        }
    }
    fork_lock_release(&queue->lock);
    return job;
}

/* Runs the first job, or parks it. False: the queue is empty. */
static bool run_next(struct execute_queue *queue)
{
    const struct execute_queue *nested = working;
    bool ready = false;
    struct job *job = next_job(queue, &ready);
    if (!job)
        return false;
    working = queue;
    if (ready) {
        run_job(queue, job);
    } else {
        report_progress(queue);
        park(queue, job);
    }
    working = nested;
    return true;
}

/* Runs jobs until the queue is empty. The thread holds a reference, since the client may be
 * released in the meantime. */
static void work(void *context)
{
    struct execute_queue *queue = context;
    while (run_next(queue))
        continue;
    execute_queue_destroy(queue);
}

/* Ends the work on the queue if no job is left. */
static bool end_work(struct execute_queue *queue)
{
    fork_lock_take(&queue->lock);
    bool ends = !queue->first;
    queue->active = !ends;
    fork_lock_release(&queue->lock);
    return ends;
}

void execute_queue_work_once(struct execute_queue *queue)
{
    run_next(queue);
    if (end_work(queue))
        execute_queue_destroy(queue);
    else if (!execute_queue_start(queue))
        work(queue);
}

/* ---- executions from callbacks --------------------------------------------------------------- */
bool execute_queue_is_here(const struct execute_queue *queue)
{
    return working == queue;
}

bool execute_queue_in_gang(void)
{
    return running_jobs_in_gang();
}

bool execute_queue_in_job(void)
{
    return working != NULL;
}

void execute_queue_enter(struct execute_queue *queue, struct job *job)
{
    fork_lock_take(&queue->lock);
    running_jobs_add(&queue->running, job);
    fork_lock_release(&queue->lock);
}

void execute_queue_leave(struct execute_queue *queue, struct job *job)
{
    fork_lock_take(&queue->lock);
    running_jobs_remove(job);
    fork_lock_release(&queue->lock);
}

void execute_queue_run_beside(struct job *job)
{
    struct execute_queue *queue = job->device->queue;
    const struct execute_queue *nested = working;
    bool was_beside = is_beside;
    fork_lock_take(&queue->lock);
    atomic_fetch_add(&queue->leaving.unfinished, 1);
    atomic_fetch_add(&queue->pending, 1);
    queue->bytes += job->bytes;
    running_jobs_add(&queue->running, job);
    fork_lock_release(&queue->lock);
    refs_retain(&queue->refs);
    working = queue;
    is_beside = true;
    run_job(queue, job);
    working = nested;
    is_beside = was_beside;
    execute_queue_destroy(queue);
}

static void run_beside(void *job)
{
    execute_queue_run_beside(job);
}

bool execute_queue_start_beside(struct job *job)
{
    struct error *error = pool_submit(pool_shared(), run_beside, job);
    bool started = !error;
    error_free(error);
    return started;
}

/* ---- stopping -------------------------------------------------------------------------------- */
/* Other devices may wait for this one in a collective, or this one for them: the gang of the job
 * fails without the lock. False: there was no job to stop. */
static bool stop_one(struct execute_queue *queue, const struct loaded_executable *executable)
{
    struct error *error = NULL;
    struct gang *gang = NULL;
    int ordinal = 0;
    fork_lock_take(&queue->lock);
    struct job *job = running_jobs_stoppable(&queue->running, executable);
    if (job) {
        atomic_store(&job_progress(job)->limits.stop, 1);
        gang = job->gang;
        ordinal = job->ordinal;
    }
    if (gang) {
        gang_retain(gang);
        error = stopped(job, "its executable was deleted or its client destroyed");
    }
    fork_lock_release(&queue->lock);
    if (gang)
        communicator_fail(gang_communicator(gang), ordinal, error);
    error_free(error);
    gang_release(gang);
    return job != NULL;
}

void execute_queue_stop(struct execute_queue *queue, const struct loaded_executable *executable)
{
    if (!executable)
        atomic_store(&queue->closed, true);
    while (stop_one(queue, executable))
        continue;
    if (executable)
        return;
    fork_lock_take(&queue->lock);
    for (struct job *job = queue->running.first; job; job = job->running_next)
        host_transfer_cancel(job->host);
    fork_lock_release(&queue->lock);
}

/* ---- creation -------------------------------------------------------------------------------- */
/* The child does not have the queue's thread, nor those beside it, unless one of them is the thread
 * that forked, from a callback of the jobs that it runs. */
static void in_child(struct fork_lock *lock)
{
    struct execute_queue *queue = (struct execute_queue *)lock;
    int pending = running_jobs_keep_own(&queue->running, queue, &queue->bytes);
    queue->active = working == queue && !is_beside;
    queue->first = queue->last = NULL;
    atomic_store(&queue->pending, pending);
    leaving_jobs_keep_own(&queue->leaving, pending);
    for (int i = 0; i < WAITS; i++)
        atomic_store(&queue->waiting[i], 0);
}

struct error *execute_queue_create(int node, struct execute_queue **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    (*out)->node = node;
    refs_init(&(*out)->refs);
    fork_lock_init(&(*out)->lock, FORK_QUEUE, in_child);
    return NULL;
}

void execute_queue_destroy(struct execute_queue *queue)
{
    if (!queue || !refs_release(&queue->refs))
        return;
    fork_lock_remove(&queue->lock);
    alloc_free(queue);
}
