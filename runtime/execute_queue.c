#include "runtime/execute_queue.h"

#include "base/alloc.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/interrupt.h"
#include "base/pool.h"

enum {
    MAX_IN_FLIGHT = 32, /* jobs that may be queued on a device */
    MAX_IN_FLIGHT_BYTES =
        256 << 20 /* of results of pending jobs, beyond which only one more may be queued */
};

struct execute_queue {
    struct fork_lock lock; /* first; guards what is not atomic, and the marks of the jobs' events */
    struct refs refs;
    atomic_int pending;    /* jobs queued or running */
    atomic_int unfinished; /* those, and jobs whose completion is being reported */
    atomic_int waiting;    /* threads that wait for a job to be done */
    atomic_uint progress;  /* changes when one is, if threads wait */
    uint64_t bytes;        /* of the results of pending jobs */
    struct job *first, *last;
    struct job *running; /* the innermost first: a callback of a job may execute programs */
    _Atomic(struct event *) reporting; /* of the job that is done and whose event is being set */
    bool active;                       /* a thread of the pool works on the queue */
    atomic_bool closed;                /* unbounded programs are not started any more */
};

/* The queue this thread works on, or NULL; a thread that works must not wait for a queue. */
static _Thread_local const struct execute_queue *working;

/* ---- progress -------------------------------------------------------------------------------- */
/* After a change for which threads may wait. */
static void report_progress(struct execute_queue *queue)
{
    if (!atomic_load(&queue->waiting))
        return;
    atomic_fetch_add(&queue->progress, 1);
    futex_wake(&queue->progress, FUTEX_ALL);
}

typedef bool condition(struct execute_queue *queue, uint64_t bytes);

/* Waits until the condition holds; false when the client's program wants the call to end. */
static bool wait_until(struct execute_queue *queue, condition *holds, uint64_t bytes)
{
    bool interrupted = false;
    atomic_fetch_add(&queue->waiting, 1);
    while (!interrupted) {
        unsigned seen = atomic_load(&queue->progress);
        if (holds(queue, bytes))
            break;
        interrupted = interrupt_wait(&queue->progress, seen);
    }
    atomic_fetch_sub(&queue->waiting, 1);
    return !interrupted;
}

static bool has_capacity(struct execute_queue *queue, uint64_t bytes)
{
    fork_lock_take(&queue->lock);
    int pending = atomic_load(&queue->pending);
    bool fits = pending < 2 || queue->bytes + bytes <= MAX_IN_FLIGHT_BYTES;
    fork_lock_release(&queue->lock);
    return pending < MAX_IN_FLIGHT && fits;
}

static bool is_idle(struct execute_queue *queue, uint64_t unused)
{
    (void)unused;
    return atomic_load(&queue->pending) == 0;
}

static bool is_finished(struct execute_queue *queue, uint64_t unused)
{
    (void)unused;
    return atomic_load(&queue->unfinished) == 0;
}

void execute_queue_wait(struct execute_queue *queue, uint64_t bytes)
{
    if (execute_queue_pending(queue) >= 2 && !working)
        wait_until(queue, has_capacity, bytes);
}

bool execute_queue_drain(struct execute_queue *queue)
{
    return !working && wait_until(queue, is_idle, 0);
}

bool execute_queue_finish(struct execute_queue *queue)
{
    bool waits = !working && !is_finished(queue, 0);
    while (waits && !wait_until(queue, is_finished, 0))
        continue; /* interrupted, but the client goes: its loops have been stopped */
    return waits;
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

/* An argument that is an error makes the results that error. */
static struct error *check_start(const struct execute_queue *queue, const struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        TRY(event_error(job->ready[i]));
    if (!job_is_unbounded(job))
        return NULL;
    if (atomic_load(&queue->closed))
        return stopped(job, "the client was destroyed");
    if (atomic_load_explicit(&job->executable->deleted, memory_order_acquire))
        return stopped(job, "its executable was deleted");
    return NULL;
}

/* The job is none of the pending ones any more. */
static void retire(struct execute_queue *queue, struct job *job)
{
    fork_lock_take(&queue->lock);
    queue->running = job->outer;
    atomic_store(&queue->reporting, job->done); /* before it loses its mark */
    event_mark(job->done, NULL);
    queue->bytes -= job->bytes;
    atomic_fetch_sub(&queue->pending, 1);
    fork_lock_release(&queue->lock);
    report_progress(queue);
}

/* Runs the job, which is in `running`, to its end. */
static void run_job(struct execute_queue *queue, struct job *job)
{
    struct loaded_executable *executable = job->executable;
    struct event *done = job->done;
    struct execute_context *context = job->context;
    struct host_transfer *host = job->host;
    struct error *error = check_start(queue, job);
    if (!error)
        error = job_launch(job);
    job_release_ready(job);
    job_release_arguments(job);
    job_release_results(job);
    retire(queue, job);
    alloc_free(job);
    error_free(event_set(done, error));
    atomic_store(&queue->reporting, NULL);
    event_release(done);
    execute_context_release(context);
    host_transfer_release(host);
    loaded_executable_release(executable);
    atomic_fetch_sub(&queue->unfinished, 1);
    report_progress(queue);
}

/* ---- the order of jobs ----------------------------------------------------------------------- */
static void work(void *context);

/* Appends the job, and has a thread work on the queue. */
static void enqueue(struct execute_queue *queue, struct job *job)
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
    if (!start)
        return;
    refs_retain(&queue->refs);
    struct error *error = pool_submit(pool_shared(), work, queue);
    if (error)
        work(queue); /* the system makes no thread: the caller does it */
    error_free(error);
}

static bool is_ready(struct job *job)
{
    while (job->checked < job->argument_count && event_is_ready(job->ready[job->checked]))
        job->checked++;
    return job->checked == job->argument_count;
}

/* What a parked job waited for is ready, perhaps with an error, which the job will find. */
static void unpark(struct error *error, void *context)
{
    struct job *job = context;
    error_free(error);
    execute_queue_submit(job->device->queue, job);
}

/* Leaves the job, which is not in the queue any more, to the event that it waits for. */
static void park(struct execute_queue *queue, struct job *job)
{
    struct event *awaited = job->ready[job->checked];
    event_retain(awaited);
    struct error *error = event_follow(awaited, unpark, job, job->done);
    if (error) /* no memory to be called: wait here */
        unpark(event_await(awaited), job);
    error_free(error);
    event_release(awaited);
    atomic_fetch_sub(&queue->unfinished, 1);
    report_progress(queue);
}

/* Whether the event is that of a job in the queue: it is ready when a job behind it starts. */
static bool is_of_queue(struct execute_queue *queue, const struct event *event)
{
    return event_owner(event) == queue || atomic_load(&queue->reporting) == event;
}

void execute_queue_submit(struct execute_queue *queue, struct job *job)
{
    atomic_fetch_add(&queue->unfinished, 1);
    if (is_ready(job) || is_of_queue(queue, job->ready[job->checked]))
        enqueue(queue, job);
    else
        park(queue, job);
}

/* The first job, which now runs when *ready, and else has left the queue; NULL: there is none, and
 * the thread leaves. */
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
            job->outer = queue->running;
            queue->running = job;
        } else {
            queue->bytes -= job->bytes;
            event_mark(job->done, NULL);
            atomic_fetch_sub(&queue->pending, 1);
        }
    }
    fork_lock_release(&queue->lock);
    return job;
}

/* Works until the queue is empty. The queue may lose its client meanwhile: the thread holds a
 * reference. */
static void work(void *context)
{
    struct execute_queue *queue = context;
    const struct execute_queue *nested = working;
    bool ready = false;
    working = queue;
    for (struct job *job; (job = next_job(queue, &ready));) {
        if (ready) {
            run_job(queue, job);
        } else {
            report_progress(queue);
            park(queue, job);
        }
    }
    working = nested;
    execute_queue_destroy(queue);
}

/* ---- executions from callbacks --------------------------------------------------------------- */
bool execute_queue_is_here(const struct execute_queue *queue)
{
    return working == queue;
}

void execute_queue_enter(struct execute_queue *queue, struct job *job)
{
    fork_lock_take(&queue->lock);
    job->outer = queue->running;
    queue->running = job;
    fork_lock_release(&queue->lock);
}

void execute_queue_leave(struct execute_queue *queue, struct job *job)
{
    fork_lock_take(&queue->lock);
    queue->running = job->outer;
    fork_lock_release(&queue->lock);
}

/* ---- stopping -------------------------------------------------------------------------------- */
void execute_queue_stop(struct execute_queue *queue, const struct loaded_executable *executable)
{
    fork_lock_take(&queue->lock);
    if (!executable)
        atomic_store(&queue->closed, true);
    for (struct job *job = queue->running; job; job = job->outer) {
        if ((!executable || job->executable == executable) && job_is_unbounded(job))
            atomic_store(&job->stop, 1);
        if (!executable)
            host_transfer_cancel(job->host);
    }
    fork_lock_release(&queue->lock);
}

/* ---- making ---------------------------------------------------------------------------------- */
/* The thread that worked on the queue is not in the child, unless it is the one that forked, from a
 * callback of the job that it runs. */
static void in_child(struct fork_lock *lock)
{
    struct execute_queue *queue = (struct execute_queue *)lock;
    queue->active = working == queue;
    queue->running = queue->active ? queue->running : NULL;
    queue->first = queue->last = NULL;
    queue->bytes = 0;
    for (const struct job *job = queue->running; job; job = job->outer)
        queue->bytes = job->bytes; /* of the outermost: those inside were never queued */
    atomic_store(&queue->pending, queue->running != NULL);
    atomic_store(&queue->unfinished, queue->running != NULL);
    atomic_store(&queue->waiting, 0);
    atomic_store(&queue->reporting, NULL);
}

struct error *execute_queue_create(struct execute_queue **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
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
