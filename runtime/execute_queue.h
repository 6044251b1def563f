/* execute_queue.h: the executions of one device.
 *
 * Order: a job starts when its arguments are ready, and jobs that can start do so in the order in
 * which they became ready. A job that was ready when it was submitted, or that waits only for
 * earlier jobs of the queue, keeps its position in the order of submission. A job that waits for
 * anything else (a buffer that the client has not filled yet, another device) is parked: it leaves
 * the queue, so that it does not delay other jobs, and is appended to the queue when its argument
 * is ready. Jobs are therefore ordered by their data dependences alone. Jobs with side effects
 * (custom calls, sends and receives) run one at a time, and in order of submission unless one of
 * them was parked. A later job cannot overwrite the arguments of a parked job, which has read holds
 * on their storages.
 *
 * A thread of the pool runs the jobs of a queue; an idle queue has no thread. A forked child starts
 * with empty queues: queued jobs are errors there (event.h), except for parked ones.
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTE_QUEUE_H
#define GANTRY_RUNTIME_EXECUTE_QUEUE_H

#include "runtime/job.h"

/* `node`: the memory node near which its thread runs; negative: anywhere. */
struct error *execute_queue_create(int node, struct execute_queue **out);
/* Accepts NULL. No job may be queued; the thread that ran the last job may still be exiting. */
void execute_queue_destroy(struct execute_queue *queue);

/* Number of jobs that are queued or running, without parked ones. */
int execute_queue_pending(const struct execute_queue *queue);
/* Submits a job: `job` (from job_copy, with `done` and its executable retained) is moved. */
void execute_queue_submit(struct execute_queue *queue, struct job *job);

/* ---- gangs (gang.h): jobs whose arguments are ready ---- */
/* Queues the job. Returns whether the queue needs a thread: then the caller calls
 * execute_queue_start(). */
bool execute_queue_append(struct execute_queue *queue, struct job *job);
/* Starts a thread for the queue. False: none could be created, and the caller must run the jobs
 * with execute_queue_work(). */
bool execute_queue_start(struct execute_queue *queue);
void execute_queue_work(struct execute_queue *queue);
/* Runs the first job here, instead of execute_queue_start(), which runs those after it. */
void execute_queue_work_once(struct execute_queue *queue);

/* ---- executions from callbacks: a custom call or host transfer of a running job ---- */
/* Whether this thread is running a job of the queue. An execution that it starts must then run at
 * once, since waiting in the queue would deadlock. */
bool execute_queue_is_here(const struct execute_queue *queue);
/* Whether this thread is running a job of a gang (gang.h). The gang's other devices may wait in a
 * collective for this one: an execution that it starts on one of them must run at once, too. */
bool execute_queue_in_gang(void);
/* Whether this thread is running a job of any queue: a gang that it takes part in must then not
 * wait for the queues. */
bool execute_queue_in_job(void);
/* Runs the job, which is in no queue, to completion: concurrently with its device's queue, on this
 * thread or on a new one (false: none could be created). For gangs of callbacks. */
void execute_queue_run_beside(struct job *job);
bool execute_queue_start_beside(struct job *job);
/* Surround the launch of a job of the queue from its own thread, so that execute_queue_stop() can
 * stop it. */
void execute_queue_enter(struct execute_queue *queue, struct job *job);
void execute_queue_leave(struct execute_queue *queue, struct job *job);

/* ---- waiting ---- */
/* Limits how far a client runs ahead of the device: waits until the queue has capacity for another
 * job with `bytes` of results, so that results of queued jobs do not fill the memory, and those of
 * a loop of executions stay in the processor's last cache. A client that had to wait continues when
 * half of the capacity is free. Does not wait on a thread that runs a
 * queue's jobs (a callback that executes programs). The wait ends early when the client's program
 * interrupts it (base/interrupt.h). */
void execute_queue_wait(struct execute_queue *queue, uint64_t bytes);
/* Waits until no job is pending. Returns false when interrupted, and immediately on a thread that
 * runs a queue's jobs. */
bool execute_queue_drain(struct execute_queue *queue);
/* For the end of the client: waits until no job is pending and the callbacks of all completed jobs
 * have returned; does not wait for parked jobs. If a function of the client still runs at
 * `deadline` (nanoseconds of CLOCK_MONOTONIC), or when the client's program interrupts the wait, it
 * gives up with an error in the log: jobs that have not started will be CANCELLED. Returns whether
 * it had to wait. On a thread that runs a queue's jobs, returns false immediately. */
bool execute_queue_finish(struct execute_queue *queue, int64_t deadline);
/* Waits until a submitted job is complete (`done`: its event, borrowed), or no jobs are left but
 * parked ones, for which the client may have to act first. Ends early when interrupted; returns
 * immediately on a thread that runs a queue's jobs. */
void execute_queue_await(struct execute_queue *queue, struct event *done);

/* Stops the unbounded programs (program.h) of `executable`, or all of them with NULL, whether they
 * run now or start later: they complete with CANCELLED. NULL also ends waits for host transfers,
 * and the queue remains in this state. */
void execute_queue_stop(struct execute_queue *queue, const struct loaded_executable *executable);

#endif
