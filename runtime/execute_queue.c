#include "runtime/execute_queue.h"

#include <pthread.h>

#include "base/alloc.h"
#include "base/pool.h"

enum {
    AHEAD = 32, /* jobs that may be queued on a device */
    AHEAD_BYTES =
        256 << 20 /* of results of pending jobs, beyond which only one more may be queued */
};

struct execute_queue {
    struct refs refs;
    atomic_int pending;      /* jobs queued or running */
    pthread_mutex_t lock;    /* guards what follows */
    pthread_cond_t finished; /* a job is done, for those who wait */
    int waiting;
    uint64_t bytes; /* of the results of pending jobs */
    struct job *first, *last;
    bool running;                        /* a thread of the pool works on the queue */
    struct execute_queue *next, **place; /* in the list of all queues */
};

/* The queue this thread works on, or NULL; a thread that works must not wait for a queue. */
static _Thread_local const struct execute_queue *working;

/* Runs a queued job to its end. An argument that is an error makes the results that error. */
static void run_job(struct execute_queue *queue, struct job *job)
{
    struct loaded_executable *executable = job->executable;
    struct event *done = job->done;
    struct execute_context *context = job->context;
    struct host_transfer *host = job->host;
    struct error *error = NULL;
    for (int i = 0; i < job->argument_count && !error; i++)
        error = event_await(job->ready[i]);
    if (!error)
        error = job_launch(job);
    job_release_ready(job);
    job_release_arguments(job);
    job_release_results(job);
    pthread_mutex_lock(&queue->lock);
    queue->bytes -= job->bytes;
    atomic_fetch_sub_explicit(&queue->pending, 1, memory_order_release);
    if (queue->waiting)
        pthread_cond_broadcast(&queue->finished);
    pthread_mutex_unlock(&queue->lock);
    alloc_free(job);
    error_free(event_set(done, error));
    event_release(done);
    execute_context_release(context);
    host_transfer_release(host);
    loaded_executable_release(executable);
}

/* ---- forks ----------------------------------------------------------------------------------- */
/* All queues, so that a forked child can put them right. */
static struct {
    pthread_mutex_t lock;
    struct execute_queue *first;
} queues = {.lock = PTHREAD_MUTEX_INITIALIZER};
static pthread_once_t queues_once = PTHREAD_ONCE_INIT;

static void before_fork(void)
{
    pthread_mutex_lock(&queues.lock);
    for (struct execute_queue *queue = queues.first; queue; queue = queue->next)
        pthread_mutex_lock(&queue->lock);
}

static void after_fork_in_parent(void)
{
    for (struct execute_queue *queue = queues.first; queue; queue = queue->next)
        pthread_mutex_unlock(&queue->lock);
    pthread_mutex_unlock(&queues.lock);
}

/* The threads that worked and waited are not here; what they had before them is the parent's to
 * run. */
static void after_fork_in_child(void)
{
    for (struct execute_queue *queue = queues.first; queue; queue = queue->next) {
        pthread_cond_init(&queue->finished, NULL);
        queue->first = queue->last = NULL;
        queue->running = false;
        queue->waiting = 0;
        queue->bytes = 0;
        atomic_store(&queue->pending, 0);
    }
    after_fork_in_parent();
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

static void enlist(struct execute_queue *queue)
{
    pthread_once(&queues_once, watch_forks);
    pthread_mutex_lock(&queues.lock);
    queue->next = queues.first;
    queue->place = &queues.first;
    if (queue->next)
        queue->next->place = &queue->next;
    queues.first = queue;
    pthread_mutex_unlock(&queues.lock);
}

static void strike(struct execute_queue *queue)
{
    pthread_mutex_lock(&queues.lock);
    *queue->place = queue->next;
    if (queue->next)
        queue->next->place = queue->place;
    pthread_mutex_unlock(&queues.lock);
}

/* ---- life ------------------------------------------------------------------------------------ */
struct error *execute_queue_create(struct execute_queue **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    pthread_mutex_init(&(*out)->lock, NULL);
    pthread_cond_init(&(*out)->finished, NULL);
    enlist(*out);
    return NULL;
}

void execute_queue_destroy(struct execute_queue *queue)
{
    if (!queue || !refs_release(&queue->refs))
        return;
    strike(queue);
    pthread_cond_destroy(&queue->finished);
    pthread_mutex_destroy(&queue->lock);
    alloc_free(queue);
}

static bool has_room(const struct execute_queue *queue, int most, uint64_t bytes)
{
    int pending = execute_queue_pending(queue);
    return pending <= most && (pending < 2 || queue->bytes + bytes <= AHEAD_BYTES);
}

/* Waits until at most `most` jobs are pending, and room for `bytes` more of results. */
static bool wait_for_room(struct execute_queue *queue, int most, uint64_t bytes)
{
    if (working)
        return false;
    pthread_mutex_lock(&queue->lock);
    queue->waiting++;
    while (!has_room(queue, most, bytes))
        pthread_cond_wait(&queue->finished, &queue->lock);
    queue->waiting--;
    pthread_mutex_unlock(&queue->lock);
    return true;
}

void execute_queue_wait(struct execute_queue *queue, uint64_t bytes)
{
    if (execute_queue_pending(queue) >= 2)
        wait_for_room(queue, AHEAD - 1, bytes);
}

bool execute_queue_drain(struct execute_queue *queue)
{
    return wait_for_room(queue, 0, 0);
}

bool execute_queue_is_here(const struct execute_queue *queue)
{
    return working == queue;
}

int execute_queue_pending(const struct execute_queue *queue)
{
    return atomic_load_explicit(&queue->pending, memory_order_acquire);
}

/* Works until the queue is empty. The queue may lose its client meanwhile: the thread holds a
 * reference. */
static void work(void *context)
{
    struct execute_queue *queue = context;
    const struct execute_queue *nested = working;
    working = queue;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        struct job *job = queue->first;
        if (job)
            queue->first = job->next;
        else
            queue->running = false;
        pthread_mutex_unlock(&queue->lock);
        if (!job)
            break;
        run_job(queue, job);
    }
    working = nested;
    execute_queue_destroy(queue);
}

void execute_queue_submit(struct execute_queue *queue, struct job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&queue->lock);
    atomic_fetch_add_explicit(&queue->pending, 1, memory_order_relaxed);
    queue->bytes += job->bytes;
    if (queue->first)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    bool start = !queue->running;
    queue->running = true;
    pthread_mutex_unlock(&queue->lock);
    if (!start)
        return;
    refs_retain(&queue->refs);
    struct error *error = pool_submit(pool_shared(), work, queue);
    if (error)
        work(queue); /* no thread to be had: the caller does it */
    error_free(error);
}
