/* process_job.c: see process_job.h. */
#include "devices/host/collectives/process_job.h"

#include <string.h>

#include "base/alloc.h"

/* Inserts a process into the ordered list of others, unless it is there. */
static void add_other(struct process_job *job, int process)
{
    int at = job->other_count;
    for (int i = 0; i < job->other_count; i++)
        if (job->others[i] == process)
            return;
    for (; at > 0 && job->others[at - 1] > process; at--)
        job->others[at] = job->others[at - 1];
    job->others[at] = process;
    job->other_count++;
}

struct error *process_job_begin(struct process_job *job)
{
    TRY(alloc_array((size_t)job->group->count, sizeof *job->others, &job->others));
    job->home = -1;
    for (int m = 0; m < job->group->count; m++) {
        if (!process_job_is_here(job, m))
            add_other(job, process_job_owner(job, m));
        else if (job->home < 0)
            job->home = m;
    }
    while (job->rank < job->other_count && job->others[job->rank] < job->group->process)
        job->rank++;
    return alloc_array((size_t)job->other_count, sizeof *job->flows, &job->flows);
}

void process_job_end(struct process_job *job)
{
    alloc_free(job->others);
    alloc_free(job->flows);
}

static struct network_exchange exchange_of(const struct process_job *job, int count)
{
    return (struct network_exchange){.channel = job->group->channel,
                                     .stream = job->group->stream,
                                     .label = job->step->label,
                                     .flow_count = count,
                                     .flows = job->flows,
                                     .lends = true};
}

struct error *process_job_exchange(const struct process_job *job, int count)
{
    struct network_exchange exchange = exchange_of(job, count);
    return count ? network_exchange(&exchange) : NULL;
}

struct error *process_job_start(const struct process_job *job, int count,
                                struct process_exchange *out)
{
    bool complete;
    *out = (struct process_exchange){.exchange = exchange_of(job, count)};
    if (!count)
        return NULL;
    TRY(network_begin(&out->exchange, &out->changes, &out->run));
    struct error *error = network_continue(out->run, &complete);
    return error ? process_job_finish(out, error) : NULL;
}

struct error *process_job_finish(struct process_exchange *exchange, struct error *error)
{
    struct network_run *run = exchange->run;
    exchange->run = NULL;
    if (!run)
        return error;
    if (!error)
        return network_finish(run);
    network_end(run, true);
    return error;
}

struct net_piece process_job_piece(const char *base, int64_t bytes)
{
    return (struct net_piece){(char *)(uintptr_t)base, bytes ? 1 : 0, bytes, bytes};
}

void process_job_spread(const struct process_job *job, int64_t bytes)
{
    char *from = process_job_result(job, job->home);
    for (int m = job->home + 1; m < job->group->count; m++)
        if (process_job_is_here(job, m) && process_job_result(job, m) != from)
            memcpy(process_job_result(job, m), from, (size_t)bytes);
}
