/* execute_queue.h: the jobs of one device, in the order in which they were submitted. A thread of
 * the pool works on a queue as long as there are jobs; an idle queue has no thread. A forked child
 * starts with empty queues: what was pending is the parent's. Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTE_QUEUE_H
#define GANTRY_RUNTIME_EXECUTE_QUEUE_H

#include "runtime/job.h"

struct error *execute_queue_create(struct execute_queue **out);
/* Accepts NULL. Nothing may be queued; a thread that has just run the last job may still be
 * leaving. */
void execute_queue_destroy(struct execute_queue *queue);

/* Jobs that are queued or run. */
int execute_queue_pending(const struct execute_queue *queue);
/* Whether this thread runs a job of the queue: what it executes meanwhile (a callback may) comes
 * out of turn. */
bool execute_queue_is_here(const struct execute_queue *queue);
/* Hands a job over: `job` (from job_copy, with `done` and its executable retained) is moved. */
void execute_queue_submit(struct execute_queue *queue, struct job *job);

/* A client may run far ahead of the device: waits until there is room for one job more with `bytes`
 * of results, so that the results of all that is queued do not fill the memory. Does not wait on a
 * thread that works on a queue itself (a callback that executes). */
void execute_queue_wait(struct execute_queue *queue, uint64_t bytes);
/* Waits until nothing is pending; false, at once, on a thread that works on a queue. */
bool execute_queue_drain(struct execute_queue *queue);

#endif
