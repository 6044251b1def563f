/* trial.h: which executions of unbounded programs (program.h) are first tried on the caller's
 * thread. Handing an execution over to the queue takes several microseconds, longer than many loops
 * of unknown trip count run. A trial has a budget (struct kernel_limits). If it exceeds that, its
 * results are discarded and the execution begins again on the queue. The following executions of
 * the program are queued at once, twice as many after each trial that failed, up to TRIAL_BACKOFF,
 * until one succeeds. Thread-safe. */
#ifndef GANTRY_RUNTIME_TRIAL_H
#define GANTRY_RUNTIME_TRIAL_H

#include "runtime/job.h"

enum { TRIAL_BACKOFF = 255 };

/* Whether the job can begin again after it ran in part: no result reuses the memory of an argument.
 * The job has its arguments, and its results have not been created. */
bool trial_can_repeat(const struct job *job);
/* Whether the next execution is to be tried; counts it as queued otherwise. */
bool trial_is_due(struct loaded_executable *executable);
/* Reports how a trial ended. */
void trial_end(struct loaded_executable *executable, bool failed);

#endif
