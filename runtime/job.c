#include "runtime/job.h"

#include <string.h>

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fork.h"
#include "base/trace.h"
#include "runtime/gang.h"
#include "runtime/metrics.h"

/* Bytes of the arrays of a job with `arguments` arguments and `results` results. */
static size_t arrays_size(size_t arguments, size_t results)
{
    return arguments * (sizeof(struct storage_hold) + 2 * sizeof(void *) + 1) +
           results * 2 * sizeof(void *);
}

/* Points the job's arrays into memory of arrays_size() bytes, in order of decreasing alignment. */
static void place_arrays(struct job *job, void *memory)
{
    size_t arguments = (size_t)job->argument_count, results = (size_t)job->result_count;
    job->arguments = memory;
    job->results = (struct storage **)(job->arguments + arguments);
    job->ready = (struct event **)(job->results + results);
    job->addresses = (void **)(job->ready + arguments);
    job->donation = (unsigned char *)(job->addresses + arguments + results);
}

struct error *job_init(struct job_workspace *space, const struct program *program, void **heap)
{
    size_t arguments = (size_t)program->parameter_count, results = (size_t)program->result_count;
    struct job *job = &space->job;
    *heap = NULL;
    *job = (struct job){.argument_count = program->parameter_count,
                        .result_count = program->result_count,
                        .arguments = space->arguments,
                        .results = space->results,
                        .ready = space->ready,
                        .addresses = space->addresses,
                        .donation = space->donation,
                        .progress.limits.budget = INT64_MAX};
    if (arguments > JOB_SMALL || results > JOB_SMALL) {
        TRY(alloc_bytes(arrays_size(arguments, results), heap));
        place_arrays(job, *heap);
    }
    memset(job->arguments, 0, arguments * sizeof *job->arguments);
    memset(job->ready, 0, arguments * sizeof *job->ready);
    memset(job->results, 0, results * sizeof *job->results);
    return NULL;
}

struct error *job_copy(const struct job *from, struct job **out)
{
    size_t arguments = (size_t)from->argument_count, results = (size_t)from->result_count;
    TRY(alloc_bytes(sizeof **out + arrays_size(arguments, results), out));
    struct job *job = *out;
    *job = *from;
    place_arrays(job, job + 1);
    memcpy(job->arguments, from->arguments, arguments * sizeof *job->arguments);
    memcpy(job->results, from->results, results * sizeof *job->results);
    memcpy(job->ready, from->ready, arguments * sizeof *job->ready);
    memcpy(job->addresses, from->addresses, (arguments + results) * sizeof *job->addresses);
    memcpy(job->donation, from->donation, arguments);
    return NULL;
}

void job_release_arguments(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        storage_drop(&job->arguments[i]);
}

void job_release_results(struct job *job)
{
    for (int i = 0; i < job->result_count; i++) {
        storage_release(job->results[i]);
        job->results[i] = NULL;
    }
}

void job_release_ready(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++) {
        event_release(job->ready[i]);
        job->ready[i] = NULL;
    }
}

static void retain(void *executable)
{
    executable_retain(executable);
}

static void release(void *executable)
{
    executable_release(executable);
}

/* Profiles need the program to say what its steps are. */
static struct trace_subject subject_of(const struct job *job)
{
    struct executable *executable = job->executable->executable;
    return (struct trace_subject){.device = job->device->device->id,
                                  .object = executable,
                                  .retain = retain,
                                  .release = release,
                                  .launch = job->run_id,
                                  .flow = job->flow};
}

/* The storage of a result. NULL: it has memory of its own and the job is not queued, so its address
 * is known already. */
static struct storage *result_storage(const struct job *job, int index)
{
    int alias = job->executable->executable->program->results[index].alias;
    if (!job->results[index] && alias >= 0 && job->donation[alias] == JOB_REUSED)
        return job->arguments[alias].storage;
    return job->results[index];
}

/* Completes the addresses. Arguments have their bytes, since they are ready; a queued job's results
 * get theirs now. */
static struct error *set_addresses(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++) {
        const struct storage *storage = job->arguments[i].storage;
        job->addresses[i] = storage ? storage->address : NULL;
    }
    for (int i = 0; i < job->result_count; i++) {
        struct storage *storage = result_storage(job, i);
        if (!storage)
            continue;
        TRY(storage_provide(storage));
        job->addresses[job->argument_count + i] = storage->address;
    }
    return NULL;
}

/* Notes the launch in traces. */
static struct error *launch_traced(const struct job *job, const struct launch *launch)
{
    struct device *device = job->device->device;
    uint64_t began = trace_begin();
    struct error *error = device->ops->launch(device, launch);
    if (began) {
        struct trace_subject subject = subject_of(job);
        trace_end_of(began, TRACE_EXECUTE, launch->program->name, error ? NULL : &subject);
    }
    return error;
}

/* The same, shown as the device's activity and timed. */
static struct error *launch_watched(const struct job *job, struct launch *launch)
{
    struct activity *activity = &job->device->activity;
    if (activity_begin(activity, launch->program->name))
        launch->activity = activity;
    int64_t start = clock_now();
    struct error *error = launch_traced(job, launch);
    histogram_add(&metrics.execute_ns, (uint64_t)(clock_now() - start));
    if (launch->activity)
        activity_end(activity);
    return error;
}

struct launch_progress *job_progress(struct job *job)
{
    return job->gang ? &gang_communicator(job->gang)->progress[job->ordinal] : &job->progress;
}

/* Others may be reading the label of the last step. */
static void note_end(struct launch_progress *progress)
{
    struct fork_lock *lock = fork_lock_of(progress);
    fork_lock_take(lock);
    atomic_store(&progress->step, NULL);
    fork_lock_release(lock);
}

struct error *job_launch(struct job *job)
{
    const struct program *program = job->executable->executable->program;
    struct launch_progress *progress = job_progress(job);
    TRY(set_addresses(job));
    struct launch launch = {
        .program = program,
        .parameters = job->addresses,
        .arguments = job->arguments,
        .results = job->addresses + job->argument_count,
        .device_ordinal = job->ordinal,
        .participant = job->ordinal,
        .communicator = job->gang ? gang_communicator(job->gang) : NULL,
        .run_id = job->run_id,
        .context = job->context,
        .host = host_transfer_launch(job->host),
        .client_mode = job->client_mode,
        .limits = job_is_unbounded(job) ? &progress->limits : NULL,
        .progress = progress,
        .where = job->device->device->text,
    };
    struct error *error =
        metrics_watched() ? launch_watched(job, &launch) : launch_traced(job, &launch);
    if (job->gang)
        note_end(progress);
    metrics_add(METRIC_executions, 1);
    if (error)
        metrics_add(METRIC_failed_executions, 1);
    return error;
}
