#include "runtime/job.h"

#include <string.h>

#include "base/alloc.h"
#include "base/trace.h"

enum { SMALL_TEMP = 4096 }; /* bytes of temp memory that lie on the stack */

struct error *job_init(struct job_workspace *space, const struct program *program, void **heap)
{
    size_t arguments = (size_t)program->parameter_count, results = (size_t)program->result_count;
    struct job *job = &space->job;
    *job = (struct job){.argument_count = program->parameter_count,
                        .result_count = program->result_count};
    job->arguments = space->storages;
    job->ready = space->ready;
    job->addresses = space->addresses;
    *heap = NULL;
    if (arguments > JOB_SMALL || results > JOB_SMALL) {
        TRY(alloc_array(3 * arguments + 2 * results, sizeof(void *), heap));
        job->arguments = *heap;
        job->addresses = (void **)*heap + arguments + results;
        job->ready = (struct event **)(job->addresses + arguments + results);
    }
    job->results = job->arguments + arguments;
    memset(job->results, 0, results * sizeof *job->results);
    return NULL;
}

struct error *job_copy(const struct job *from, struct job **out)
{
    size_t arguments = (size_t)from->argument_count, results = (size_t)from->result_count;
    size_t values = arguments + results;
    TRY(alloc_bytes(sizeof **out + (2 * values + arguments) * sizeof(void *), out));
    struct job *job = *out;
    void **arrays = (void **)(job + 1);
    *job = *from;
    job->arguments = (struct storage **)arrays;
    job->results = job->arguments + arguments;
    job->addresses = arrays + values;
    job->ready = (struct event **)(arrays + 2 * values);
    memcpy(job->arguments, from->arguments, values * sizeof(void *));
    memcpy(job->addresses, from->addresses, values * sizeof(void *));
    memcpy(job->ready, from->ready, arguments * sizeof(void *));
    return NULL;
}

void job_release_arguments(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        storage_release(job->arguments[i]);
    storage_release(job->temp);
}

void job_release_results(struct job *job)
{
    for (int i = 0; i < job->result_count; i++)
        storage_release(job->results[i]);
}

void job_release_ready(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        event_release(job->ready[i]);
}

static struct error *launch_over(struct job *job, void *temp)
{
    struct device *device = job->device->device;
    struct launch launch = {
        .program = job->executable->executable->program,
        .parameters = job->addresses,
        .results = job->addresses + job->argument_count,
        .temp = temp,
        .device_ordinal = job->ordinal,
        .run_id = job->run_id,
        .context = job->context,
        .host = host_transfer_launch(job->host),
        .client_mode = job->client_mode,
    };
    return device->ops->launch(device, &launch);
}

static struct error *with_space_temp(struct job *job)
{
    uint64_t size = job->executable->executable->program->temp_size;
    if (!size)
        return launch_over(job, NULL);
    TRY(space_alloc(job->device->memories[0].space, size, &job->temp));
    return launch_over(job, job->temp->bytes);
}

static struct error *with_stack_temp(struct job *job)
{
    _Alignas(64) char temp[SMALL_TEMP];
    return launch_over(job, temp);
}

struct error *job_launch(struct job *job)
{
    const struct program *program = job->executable->executable->program;
    uint64_t temp = program->temp_size, began = trace_begin();
    struct error *error = temp && temp <= SMALL_TEMP ? with_stack_temp(job) : with_space_temp(job);
    trace_end(began, TRACE_EXECUTE, program->name);
    return error;
}
