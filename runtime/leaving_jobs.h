/* leaving_jobs.h: for execute_queue.c: the jobs of a queue that are not finished, and those of them
 * that are leaving it: no longer pending, but still being parked, or having their completion
 * reported, which calls functions of the client. Several threads may have such jobs of one queue,
 * and a thread several of them, one within a callback of another. Thread-safe. */
#ifndef GANTRY_RUNTIME_LEAVING_JOBS_H
#define GANTRY_RUNTIME_LEAVING_JOBS_H

#include <stdatomic.h>
#include <stdbool.h>

struct leaving_jobs {      /* of a queue; zeroed at first */
    atomic_int unfinished; /* pending and leaving jobs; the queue counts a job when it takes it */
    atomic_int reporting;  /* leaving jobs whose completion is being reported */
};

struct leaving_job { /* private; on the stack of the thread */
    struct leaving_jobs *jobs;
    bool reports;
    struct leaving_job *outer;
};

/* Surround what this thread does for an unfinished job that is not pending any more; the job is
 * finished at the end. */
void leaving_jobs_begin(struct leaving_jobs *jobs, bool reports, struct leaving_job *job);
void leaving_jobs_end(const struct leaving_job *job);

/* In a forked child: keeps `pending` jobs, and the leaving ones of this thread. */
void leaving_jobs_keep_own(struct leaving_jobs *jobs, int pending);

#endif
