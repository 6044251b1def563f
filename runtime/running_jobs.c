#include "runtime/running_jobs.h"

/* The innermost of the jobs that this thread runs, linked by job.outer. */
static _Thread_local struct job *innermost;

void running_jobs_add(struct running_jobs *jobs, struct job *job)
{
    job->outer = innermost;
    innermost = job;
    job->running_next = jobs->first;
    job->running_place = &jobs->first;
    if (job->running_next)
        job->running_next->running_place = &job->running_next;
    jobs->first = job;
}

void running_jobs_remove(struct job *job)
{
    innermost = job->outer;
    *job->running_place = job->running_next;
    if (job->running_next)
        job->running_next->running_place = job->running_place;
}

int running_jobs_keep_own(struct running_jobs *jobs, const struct execute_queue *queue,
                          uint64_t *bytes)
{
    struct job **last = &jobs->first;
    int pending = 0;
    *bytes = 0;
    for (struct job *job = innermost; job; job = job->outer) {
        if (job->device->queue != queue)
            continue;
        *last = job;
        job->running_place = last;
        last = &job->running_next;
        if (job->done)
            pending++, *bytes += job->bytes;
    }
    *last = NULL;
    return pending;
}

static bool is_stoppable(struct job *job, const struct loaded_executable *executable)
{
    return (!executable || job->executable == executable) && job_is_unbounded(job) &&
           !atomic_load(&job_progress(job)->limits.stop);
}

struct job *running_jobs_stoppable(const struct running_jobs *jobs,
                                   const struct loaded_executable *executable)
{
    struct job *job = jobs->first;
    while (job && !is_stoppable(job, executable))
        job = job->running_next;
    return job;
}

bool running_jobs_in_client(const struct running_jobs *jobs, struct text *out)
{
    bool found = false;
    for (struct job *job = jobs->first; job; job = job->running_next) {
        const struct launch_progress *progress = job_progress(job);
        const struct step *step = atomic_load(&progress->step);
        if (!atomic_load(&progress->calls_client) || !step)
            continue;
        text_add(out, "%s%s of '%s' on %s", found ? "; " : "", step->label,
                 job->executable->executable->program->name, job->device->device->text);
        found = true;
    }
    return found;
}

bool running_jobs_in_gang(void)
{
    const struct job *job = innermost;
    while (job && !job->gang)
        job = job->outer;
    return job != NULL;
}
