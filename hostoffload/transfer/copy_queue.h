/* copy_queue.h: the copy engine of devices on the host's cores: copies between memory kinds run on
 * a separate thread, in the order in which they were started, while the program computes. A thread
 * that waits for a copy which has not begun runs it itself, so progress never depends on the
 * scheduling of the copy thread; in a forked child, also one that the parent's copy thread has not
 * completed. The thread is taken from base/pool.h when there are copies and returned when there are
 * none. Thread-safe. */
#ifndef GANTRY_HOSTOFFLOAD_TRANSFER_COPY_QUEUE_H
#define GANTRY_HOSTOFFLOAD_TRANSFER_COPY_QUEUE_H

#include <stdatomic.h>

struct copy_job {
    /* Set by the caller; must not fail or wait. A forked child may run it again from the start. */
    void (*run)(struct copy_job *job);
    /* private to the queue */
    atomic_uint state;
    struct copy_job *next, **place;
};

/* Queues the job (borrowed until copy_queue_finish returns). If no thread is available, the job
 * runs in copy_queue_finish. */
void copy_queue_start(struct copy_job *job);
/* Waits until the job has run. Call it exactly once per start. */
void copy_queue_finish(struct copy_job *job);

#endif
