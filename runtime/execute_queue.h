/* execute_queue.h: the executions of one device.
 *
 * Order: a job starts when its arguments are ready. Of several jobs that can start, the one that
 * became ready first does, and a job that was ready when it was submitted, or that waits for jobs
 * before it in the queue only, keeps its place in the order of submission. A job that waits for
 * anything else (a buffer that the client has not filled yet, another device) is parked: it leaves
 * the queue, so that it delays no other, and comes back to the end of the queue when that is ready.
 * Jobs therefore are ordered by their data alone; those with effects of their own (custom calls,
 * sends and receives) run one at a time, and in program order unless one of them was parked. What a
 * parked job reads is not overwritten by a job behind it: it holds the storage to read.
 *
 * A thread of the pool works on a queue as long as there are jobs; an idle queue has no thread. A
 * forked child starts with empty queues; what was in them is an error there (event.h), parked jobs
 * excepted. Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTE_QUEUE_H
#define GANTRY_RUNTIME_EXECUTE_QUEUE_H

#include "runtime/job.h"

struct error *execute_queue_create(struct execute_queue **out);
/* Accepts NULL. Nothing may be queued; a thread that has just run the last job may still be
 * leaving. */
void execute_queue_destroy(struct execute_queue *queue);

/* Jobs that are queued or run; parked ones are not counted. */
int execute_queue_pending(const struct execute_queue *queue);
/* Hands a job over: `job` (from job_copy, with `done` and its executable retained) is moved. */
void execute_queue_submit(struct execute_queue *queue, struct job *job);

/* ---- executions from callbacks: a custom call or host transfer of a running job ---- */
/* Whether this thread runs a job of the queue. What it executes meanwhile cannot wait for its place
 * in the queue: it runs at once. */
bool execute_queue_is_here(const struct execute_queue *queue);
/* Surround the launch of such a job, so that execute_queue_stop() reaches it. */
void execute_queue_enter(struct execute_queue *queue, struct job *job);
void execute_queue_leave(struct execute_queue *queue, struct job *job);

/* ---- waiting ---- */
/* A client may run far ahead of the device: waits until the queue has capacity for one job more
 * with `bytes` of results, so that the results of all that is queued do not fill the memory. Does
 * not wait on a thread that works on a queue itself (a callback that executes). The wait
 * ends early when the client's program interrupts it (base/interrupt.h). */
void execute_queue_wait(struct execute_queue *queue, uint64_t bytes);
/* Waits until nothing is pending; false when interrupted, and, at once, on a thread that works on a
 * queue. */
bool execute_queue_drain(struct execute_queue *queue);
/* Waits until nothing is pending and the callbacks of all completed jobs have returned; parked jobs
 * are not waited for. True when it had to wait. Not on a thread that works on a queue: false. */
bool execute_queue_finish(struct execute_queue *queue);

/* Ends unbounded programs (program.h) of `executable`, or of all with NULL, that run now or are
 * started later: they complete with CANCELLED. With NULL, waits for host transfers end, too, and
 * the queue stays so. */
void execute_queue_stop(struct execute_queue *queue, const struct loaded_executable *executable);

#endif
