/* running_jobs.h: the jobs that run on a queue, in no order: the one of its thread, those that
 * callbacks of a job run on the same thread, and those beside the queue. For execute_queue.c, which
 * holds the queue's lock. */
#ifndef GANTRY_RUNTIME_RUNNING_JOBS_H
#define GANTRY_RUNTIME_RUNNING_JOBS_H

#include "base/text.h"
#include "runtime/job.h"

struct running_jobs {
    struct job *first; /* linked by running_next */
};

/* Adds the job, which this thread runs next. */
void running_jobs_add(struct running_jobs *jobs, struct job *job);
/* Removes the job that this thread added last. */
void running_jobs_remove(struct job *job);
/* In a forked child: keeps only the jobs that this thread runs on the queue. Returns how many of
 * them are pending (they have an event; inline ones do not), and the *bytes of their results. */
int running_jobs_keep_own(struct running_jobs *jobs, const struct execute_queue *queue,
                          uint64_t *bytes);

/* The next unbounded job of `executable` (NULL: of any), which has not been stopped, or NULL. */
struct job *running_jobs_stoppable(const struct running_jobs *jobs,
                                   const struct loaded_executable *executable);
/* Lists the jobs for which a function of the client runs. Returns whether there are any. */
bool running_jobs_in_client(const struct running_jobs *jobs, struct text *out);

/* Whether a job that this thread runs, or one around it, belongs to a gang. Needs no lock. */
bool running_jobs_in_gang(void);

#endif
