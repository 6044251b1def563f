/* job.h: a prepared execution on one device. It has holds on the memory it needs (arguments,
 * results), which counts already, so that afterwards only the program itself can fail, or the
 * system, if it lacks the bytes of results. A job runs on the caller's thread or on the device's
 * queue.
 *
 * Holds: a read hold on each argument, or, on a donated argument, the hold that its buffer had. If
 * a result reuses the memory of a donated argument, the result's buffer has the token and the job a
 * keep hold. On the memory of other results, the job has keep holds. One thread at a time. For
 * execute.c and execute_queue.c. */
#ifndef GANTRY_RUNTIME_JOB_H
#define GANTRY_RUNTIME_JOB_H

#include "base/watchdog.h"
#include "memory/storage.h"
#include "runtime/event.h"
#include "runtime/executable.h"
#include "runtime/execute_context.h"
#include "runtime/host_transfer.h"

enum { JOB_SMALL = 32 }; /* arguments or results that fit in a job_workspace */

enum job_donation {
    JOB_NOT_DONATED,
    JOB_DONATED,
    JOB_REUSED /* donated, and a result has the token of its memory */
};

struct job {
    struct job *next;  /* in the queue */
    struct job *outer; /* the job on the same thread whose callback runs this one */
    struct job *running_next, **running_place; /* in the list of those that run on the queue */
    struct loaded_executable *executable;      /* retained once queued */
    struct client_device *device;
    struct event *done; /* retained; NULL while it runs inline */
    int ordinal;
    int64_t run_id, flow;            /* execute_request.launch_id, flow */
    struct execute_context *context; /* retained once queued; may be NULL */
    struct host_transfer *host;      /* the same */
    struct gang *gang;               /* retained; NULL for a program without collectives */
    bool may_run_here;               /* on the thread that submits it, if it is alone there */
    struct fpu_mode client_mode;     /* mode of the thread that called execute() */
    int argument_count, result_count;
    struct storage_hold *arguments;
    struct storage **results; /* with keep holds once queued; NULL: a donated argument's memory */
    struct event **ready;     /* of the arguments; retained */
    void **addresses;         /* of the arguments, then the results; complete in job_launch() */
    unsigned char *donation;  /* of the arguments: enum job_donation */
    /* While an execution on several devices is prepared: the job of its first device, whose memory
     * the results may share; NULL: this is the first */
    const struct job *first;
    uint64_t bytes;                  /* of results that do not reuse donated memory */
    int checked;                     /* arguments 0 .. checked - 1 are ready */
    struct launch_progress progress; /* of a job without a gang: job_progress() */
    struct watchdog_wait parked;     /* while it waits for argument `checked` */
};

struct job_workspace { /* a job and its arrays, for the stack */
    struct job job;
    struct storage_hold arguments[JOB_SMALL];
    struct storage *results[JOB_SMALL];
    struct event *ready[JOB_SMALL];
    void *addresses[2 * JOB_SMALL];
    unsigned char donation[JOB_SMALL];
};

/* Points the job's empty arrays at the workspace, or at heap memory (*heap, owned) when that is too
 * small. */
struct error *job_init(struct job_workspace *space, const struct program *program, void **heap);
/* A heap copy, independent of the workspace, to which the holds are moved; owned (alloc_free). */
struct error *job_copy(const struct job *from, struct job **out);
/* Release the holds (or events) of one array, and empty it. */
void job_release_arguments(struct job *job);
void job_release_results(struct job *job);
void job_release_ready(struct job *job);

/* Whether the compiler could not bound the program's run time. Such a program can be stopped. It
 * runs on a client's thread only with a budget (execute.h). */
static inline bool job_is_unbounded(const struct job *job)
{
    return job->executable->executable->program->cost >= PROGRAM_UNBOUNDED;
}

/* What the job's launch does; valid as long as the job. */
struct launch_progress *job_progress(struct job *job);

/* Runs the program on this thread to completion. The results of a queued job get their bytes first.
 */
struct error *job_launch(struct job *job);

#endif
