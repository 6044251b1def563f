#include "runtime/trial.h"

bool trial_can_repeat(const struct job *job)
{
    const struct program *program = job->executable->executable->program;
    for (int i = 0; i < program->result_count; i++) {
        int alias = program->results[i].alias;
        if (alias >= 0 && alias < job->argument_count && job->donation[alias] == JOB_DONATED)
            return false;
    }
    return true;
}

/* Threads that execute one program at the same time may lose each other's counts. */
bool trial_is_due(struct loaded_executable *executable)
{
    unsigned untried = atomic_load_explicit(&executable->untried, memory_order_relaxed);
    if (untried)
        atomic_store_explicit(&executable->untried, untried - 1, memory_order_relaxed);
    return !untried;
}

void trial_end(struct loaded_executable *executable, bool failed)
{
    unsigned before = atomic_load_explicit(&executable->backoff, memory_order_relaxed);
    unsigned backoff = failed ? 2 * before + 1 : 0;
    backoff = backoff < TRIAL_BACKOFF ? backoff : TRIAL_BACKOFF;
    if (!failed && !before)
        return;
    atomic_store_explicit(&executable->backoff, backoff, memory_order_relaxed);
    atomic_store_explicit(&executable->untried, backoff, memory_order_relaxed);
}
