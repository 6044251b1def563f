/* job.h: an execution on one device, prepared: it holds what it needs (argument memory, result
 * memory), so that nothing can fail later but the program itself. A job runs on the caller's thread
 * or on the device's queue.
 *
 * Holds: one reference for each argument's storage, but for a donated one that became a result's,
 * which counts as the result's; one for each result's. One thread at a time. For execute.c and
 * execute_queue.c. */
#ifndef GANTRY_RUNTIME_JOB_H
#define GANTRY_RUNTIME_JOB_H

#include "memory/storage.h"
#include "runtime/event.h"
#include "runtime/executable.h"
#include "runtime/execute_context.h"
#include "runtime/host_transfer.h"

enum { JOB_SMALL = 32 }; /* values of each kind for which a job needs no allocation of its own */

struct job {
    struct job *next;
    struct loaded_executable *executable; /* retained once queued */
    struct client_device *device;
    struct event *done; /* retained; NULL while it runs inline */
    int ordinal;
    int64_t run_id;
    struct execute_context *context; /* retained once queued; may be NULL */
    struct host_transfer *host;      /* the same */
    struct fpu_mode client_mode;     /* of the thread that called execute() */
    int argument_count, result_count;
    struct storage **arguments; /* holds; NULL: donated to a result, or an error */
    struct storage **results;   /* holds */
    struct event **ready;       /* of the arguments; retained */
    void **addresses;           /* of the arguments, then of the results */
    struct storage *temp;
    uint64_t bytes; /* of results that are not donated memory */
};

struct job_workspace { /* a job and its arrays, for the stack */
    struct job job;
    struct storage *storages[2 * JOB_SMALL];
    struct event *ready[JOB_SMALL];
    void *addresses[2 * JOB_SMALL];
};

/* Points the job's arrays at the workspace, or at memory of their own (*heap, owned) when it is too
 * small. */
struct error *job_init(struct job_workspace *space, const struct program *program, void **heap);
/* A copy that outlives the workspace and takes over its holds; owned (alloc_free). */
struct error *job_copy(const struct job *from, struct job **out);
/* Give up the holds of one kind. */
void job_release_arguments(struct job *job); /* temp memory, too */
void job_release_results(struct job *job);
void job_release_ready(struct job *job);

/* Runs the program on this thread, to its end. */
struct error *job_launch(struct job *job);

#endif
