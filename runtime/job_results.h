/* job_results.h: the result buffers of a job. A result reuses the memory of the donated argument
 * that the program names, if it may be written; or it shares the memory of the same result on the
 * first device of the execution, if the program gives both the same contents (program_shared.h) and
 * the devices have common memory; or it gets memory of its own. One thread at a time. */
#ifndef GANTRY_RUNTIME_JOB_RESULTS_H
#define GANTRY_RUNTIME_JOB_RESULTS_H

#include "runtime/buffer.h"
#include "runtime/job.h"

/* Creates the result buffers (owned), which become ready with `ready` (borrowed), and sets the
 * job's holds and addresses. After an error the caller calls job_results_undo(). */
struct error *job_results_create(struct job *job, struct event *ready, struct buffer **results);
/* Releases the results and the job's event, and returns the tokens of reused memory to the
 * arguments. */
void job_results_undo(struct job *job, struct buffer **results);

/* The memory of a result on the job's device. Borrowed from the client. */
struct client_memory *job_results_memory(const struct job *job, int index);

#endif
