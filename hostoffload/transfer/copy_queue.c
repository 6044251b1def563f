/* copy_queue.c: see copy_queue.h. */
#include "hostoffload/transfer/copy_queue.h"

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/fork.h"
#include "base/futex.h"
#include "base/pool.h"

enum { WAITING, RUNNING, COMPLETE }; /* copy_job.state */

static void in_child(struct fork_lock *lock);

static struct fork_lock lock = FORK_LOCK(FORK_COPIES, in_child);
static struct copy_job *first, **end = &first; /* the waiting jobs */
static struct copy_job *copying;               /* the job that the copy thread runs, or NULL */
static bool has_thread;

/* These two require the lock of the list. */
static void append(struct copy_job *job)
{
    atomic_store_explicit(&job->state, WAITING, memory_order_relaxed);
    job->next = NULL;
    job->place = end;
    *end = job;
    end = &job->next;
}

static void unlink_job(struct copy_job *job)
{
    *job->place = job->next;
    if (job->next)
        job->next->place = job->place;
    else
        end = job->place;
    atomic_store_explicit(&job->state, RUNNING, memory_order_relaxed);
}

/* The copy thread does not exist any more. Jobs that it has not completed are run by the threads
 * that wait for them. */
static void in_child(struct fork_lock *unused)
{
    (void)unused;
    has_thread = false;
    if (copying)
        append(copying);
    copying = NULL;
}

/* The next job of the copy thread; NULL: none, and the thread must exit. */
static struct copy_job *next_job(void)
{
    fork_lock_take(&lock);
    struct copy_job *job = copying = first;
    if (job)
        unlink_job(job);
    else
        has_thread = false;
    fork_lock_release(&lock);
    return job;
}

/* After COMPLETE the job may be freed; only the address of its state may be used. */
static void complete(struct copy_job *job)
{
    atomic_uint *state = &job->state;
    fork_lock_take(&lock);
    copying = NULL;
    atomic_store_explicit(state, COMPLETE, memory_order_release);
    fork_lock_release(&lock);
    futex_wake(state, FUTEX_ALL);
}

static void run_jobs(void *unused)
{
    (void)unused;
    for (struct copy_job *job; (job = next_job());) {
        job->run(job);
        complete(job);
    }
}

static void start_thread(void)
{
    struct error *error = pool_submit(pool_shared(), run_jobs, NULL);
    if (!error)
        return;
    error_free(error);
    fork_lock_take(&lock);
    has_thread = false;
    fork_lock_release(&lock);
}

void copy_queue_start(struct copy_job *job)
{
    fork_lock_take(&lock);
    append(job);
    bool had_thread = has_thread;
    has_thread = true;
    fork_lock_release(&lock);
    if (!had_thread)
        start_thread();
}

void copy_queue_finish(struct copy_job *job)
{
    if (atomic_load_explicit(&job->state, memory_order_acquire) == COMPLETE)
        return;
    fork_lock_take(&lock);
    bool is_mine = atomic_load_explicit(&job->state, memory_order_relaxed) == WAITING;
    if (is_mine)
        unlink_job(job);
    fork_lock_release(&lock);
    if (is_mine) {
        job->run(job);
        return;
    }
    while (atomic_load_explicit(&job->state, memory_order_acquire) != COMPLETE)
        futex_wait(&job->state, RUNNING);
}
