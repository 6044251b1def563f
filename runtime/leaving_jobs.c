#include "runtime/leaving_jobs.h"

/* The innermost of the jobs that this thread lets leave a queue, linked by `outer`. */
static _Thread_local struct leaving_job *innermost;

void leaving_jobs_begin(struct leaving_jobs *jobs, bool reports, struct leaving_job *job)
{
    *job = (struct leaving_job){jobs, reports, innermost};
    innermost = job;
    if (reports)
        atomic_fetch_add(&jobs->reporting, 1);
}

void leaving_jobs_end(const struct leaving_job *job)
{
    innermost = job->outer;
    if (job->reports)
        atomic_fetch_sub(&job->jobs->reporting, 1);
    atomic_fetch_sub(&job->jobs->unfinished, 1);
}

void leaving_jobs_keep_own(struct leaving_jobs *jobs, int pending)
{
    int reporting = 0, unfinished = pending;
    for (const struct leaving_job *job = innermost; job; job = job->outer)
        if (job->jobs == jobs)
            reporting += job->reports, unfinished++;
    atomic_store(&jobs->unfinished, unfinished);
    atomic_store(&jobs->reporting, reporting);
}
