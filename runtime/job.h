/* job.h: an execution on one device, prepared: it holds what it needs (argument memory, result
 * memory), so that nothing can fail later but the program itself. A job runs on the caller's thread
 * or on the device's queue.
 *
 * Holds: of an argument, to read, or, of a donated one, what its buffer had; where a result takes
 * the memory of a donated argument, the token is the result buffer's, and the job keeps the memory.
 * Of the memory of other results, to keep. One thread at a time. For execute.c and
 * execute_queue.c. */
#ifndef GANTRY_RUNTIME_JOB_H
#define GANTRY_RUNTIME_JOB_H

#include "memory/storage.h"
#include "runtime/event.h"
#include "runtime/executable.h"
#include "runtime/execute_context.h"
#include "runtime/host_transfer.h"

enum { JOB_SMALL = 32 }; /* values of each kind for which a job needs no allocation of its own */

enum job_donation {
    JOB_NOT_DONATED,
    JOB_DONATED,
    JOB_REUSED /* and a result has the token of its memory */
};

struct job {
    struct job *next;  /* in the queue */
    struct job *outer; /* that runs on the same thread, and from whose callback this one does */
    struct loaded_executable *executable; /* retained once queued */
    struct client_device *device;
    struct event *done; /* retained; NULL while it runs inline */
    int ordinal;
    int64_t run_id;
    struct execute_context *context; /* retained once queued; may be NULL */
    struct host_transfer *host;      /* the same */
    struct fpu_mode client_mode;     /* of the thread that called execute() */
    int argument_count, result_count;
    struct storage_hold *arguments;
    struct storage **results; /* to keep, once queued; NULL: a donated argument's memory */
    struct event **ready;     /* of the arguments; retained */
    void **addresses;         /* of the arguments, then of the results */
    unsigned char *donation;  /* of the arguments: enum job_donation */
    uint64_t bytes;           /* of results that are not donated memory */
    int checked;              /* arguments 0 .. checked - 1 are ready */
    atomic_uint stop;         /* not 0: an unbounded program shall end */
};

struct job_workspace { /* a job and its arrays, for the stack */
    struct job job;
    struct storage_hold arguments[JOB_SMALL];
    struct storage *results[JOB_SMALL];
    struct event *ready[JOB_SMALL];
    void *addresses[2 * JOB_SMALL];
    unsigned char donation[JOB_SMALL];
};

/* Points the job's arrays, which hold nothing, at the workspace, or at memory of their own (*heap,
 * owned) when it is too small. */
struct error *job_init(struct job_workspace *space, const struct program *program, void **heap);
/* A copy that outlives the workspace and takes over its holds; owned (alloc_free). */
struct error *job_copy(const struct job *from, struct job **out);
/* End the holds of one kind, and empty them. */
void job_release_arguments(struct job *job);
void job_release_results(struct job *job);
void job_release_ready(struct job *job);

/* Whether the program may run for ever, as far as the compiler can tell: it is never run on the
 * thread of a client, and can be stopped. */
static inline bool job_is_unbounded(const struct job *job)
{
    return job->executable->executable->program->cost >= PROGRAM_UNBOUNDED;
}

/* Runs the program on this thread, to its end. */
struct error *job_launch(struct job *job);

#endif
