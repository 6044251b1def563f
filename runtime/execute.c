#include "runtime/execute.h"

#include <string.h>

#include "base/alloc.h"
#include "runtime/buffer_sizes.h"
#include "runtime/execute_check.h"
#include "runtime/execute_queue.h"
#include "runtime/gang.h"
#include "runtime/job_results.h"
#include "runtime/trial.h"

/* Programs up to this cost run on the caller's thread: they take about as long as a hand-over. */
enum { INLINE_COST = 500000 };

/* ---- arguments ------------------------------------------------------------------------------- */
/* Sets device `index` of the request, and its number in the assignment. */
static void find_device(const struct execute_request *request, size_t index, struct job *job)
{
    const struct loaded_executable *loaded = request->executable;
    if (!request->device) {
        job->device = loaded->local_devices[index];
        job->ordinal = loaded->local[index];
        return;
    }
    job->device = request->device;
    for (int i = 0; i < loaded->device_count; i++)
        if (loaded->devices[i] == request->device)
            job->ordinal = i;
}

static void mark_donated(struct job *job, const struct execute_request *request,
                         const struct program *program)
{
    for (int i = 0; i < job->argument_count; i++)
        job->donation[i] = program->parameters[i].donated ? JOB_DONATED : JOB_NOT_DONATED;
    for (size_t i = 0; i < request->non_donatable_count; i++) {
        int64_t index = request->non_donatable[i];
        if (index >= 0 && index < job->argument_count)
            job->donation[index] = JOB_NOT_DONATED;
    }
}

static struct error *acquire_argument(struct job *job, int i, struct buffer *buffer)
{
    struct storage_hold *hold = &job->arguments[i];
    return job->donation[i] ? buffer_donate(buffer, hold, &job->ready[i])
                            : buffer_acquire(buffer, hold, &job->ready[i]);
}

/* The argument that donates the buffer of argument i and was acquired before it; -1: none. */
static int donor_of(const struct job *job, struct buffer *const *arguments, int i)
{
    for (int k = 0; k < job->argument_count; k++)
        if (job->donation[k] && arguments[k] == arguments[i] && (k < i || !job->donation[i]))
            return k;
    return -1;
}

static struct error *acquire_once(struct job *job, int i, struct buffer *const *arguments)
{
    struct error *error = acquire_argument(job, i, arguments[i]);
    int donor = error ? donor_of(job, arguments, i) : -1;
    if (donor < 0)
        return error;
    error_free(error);
    return ERROR(INVALID_ARGUMENT,
                 "argument %d is the buffer that argument %d donates in the same call, as in "
                 "f(donate(a), a); pass a copy, or do not donate it",
                 i, donor);
}

/* Acquires donated arguments first, so that passing a donated buffer twice is an error in any
 * order. */
static struct error *acquire_arguments(struct job *job, struct buffer *const *arguments)
{
    for (int i = 0; i < job->argument_count; i++)
        if (job->donation[i])
            TRY(acquire_once(job, i, arguments));
    for (int i = 0; i < job->argument_count; i++)
        if (!job->donation[i])
            TRY(acquire_once(job, i, arguments));
    return NULL;
}

static bool has_collectives(const struct execute_request *request)
{
    return request->executable->executable->program->collective_count > 0;
}

/* Devices of one call run one after the other on the caller's thread if that takes no longer than
 * handing them over to a thread each. */
static bool is_cheap_on_all(const struct execute_request *request)
{
    int64_t devices = (int64_t)request->device_count;
    return devices == 1 || request->executable->executable->program->cost <= INLINE_COST / devices;
}

/* ---- preparing ------------------------------------------------------------------------------- */
/* Releases the acquired arguments and undoes donations. */
static void roll_back_arguments(struct job *job, struct buffer *const *arguments)
{
    for (int i = 0; i < job->argument_count; i++) {
        if (job->donation[i] && job->ready[i])
            buffer_undo_donation(arguments[i], job->arguments[i]);
        else
            storage_drop(&job->arguments[i]);
        job->arguments[i] = (struct storage_hold){0};
    }
    job_release_ready(job);
}

static bool are_arguments_good(const struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        if (!event_is_good(job->ready[i]))
            return false;
    return true;
}

/* A custom call that executes programs may wait for them. Queued behind it, they would never
 * start. */
static bool must_run_inline(const struct job *job)
{
    return execute_queue_is_here(job->device->queue) || execute_queue_in_gang();
}

static bool can_run_inline(const struct job *job, int64_t cost)
{
    bool waits = cost > INLINE_COST || job->executable->calls_out ||
                 execute_queue_pending(job->device->queue);
    return (!waits || must_run_inline(job)) && are_arguments_good(job);
}

static bool can_try(const struct job *job)
{
    const struct program *program = job->executable->executable->program;
    return job_is_unbounded(job) && !must_run_inline(job) &&
           can_run_inline(job, program->expected_cost) && trial_can_repeat(job) &&
           trial_is_due(job->executable);
}

/* Whether the job is a trial: what runs otherwise has no budget. */
static bool is_trial(const struct job *job)
{
    return job->progress.limits.budget != INT64_MAX;
}

/* The parts of submitting a prepared job that can fail: creating its event, its results, and its
 * copy. */
static struct error *complete_queued(struct job *job, struct buffer **results, struct job **queued)
{
    job->progress.limits.budget = INT64_MAX;
    TRY(event_create_by_thread(&job->done));
    TRY(job_results_create(job, job->done, results));
    return job_copy(job, queued);
}

/* The same where it is not known yet if the job will be queued. *queued is NULL for one that runs
 * inline. */
static struct error *complete(struct job *job, bool may_run_inline, struct buffer **results,
                              struct job **queued)
{
    if (job->result_count)
        memset(results, 0, (size_t)job->result_count * sizeof *results);
    job->progress.limits.budget = may_run_inline && can_try(job) ? INLINE_COST : INT64_MAX;
    if (is_trial(job) ||
        (may_run_inline && can_run_inline(job, job->executable->executable->program->cost)))
        return job_results_create(job, event_ready(), results);
    return complete_queued(job, results, queued);
}

static struct error *prepare_once(struct job *job, const struct execute_request *request,
                                  size_t index, struct job **queued)
{
    const struct program *program = request->executable->executable->program;
    struct buffer *const *arguments = request->argument_count ? request->arguments[index] : NULL;
    struct buffer **results = job->result_count ? request->results[index] : NULL;
    bool may_run_inline = !has_collectives(request) && is_cheap_on_all(request);
    job->executable = request->executable;
    job->run_id = request->launch_id;
    job->flow = request->flow;
    job->context = request->context;
    job->host = request->hosts ? request->hosts[index] : NULL;
    job->client_mode = fpu_current();
    job->bytes = 0;
    *queued = NULL;
    for (int i = 0; i < job->argument_count; i++)
        TRY(execute_check_argument(program, i, arguments[i], job->device));
    mark_donated(job, request, program);
    struct error *error = acquire_arguments(job, arguments);
    if (!error) {
        error = complete(job, may_run_inline, results, queued);
        if (error)
            job_results_undo(job, results);
    }
    if (error)
        roll_back_arguments(job, arguments);
    return error;
}

/* If memory is exhausted, waits for queued executions to release some. */
static struct error *prepare(struct job *job, const struct execute_request *request, size_t index,
                             struct job **queued)
{
    const struct program *program = request->executable->executable->program;
    *queued = NULL;
    find_device(request, index, job);
    struct execute_queue *queue = job->device->queue;
    bool busy = execute_queue_pending(queue) > 0;
    if (busy) {
        uint64_t bytes = 0;
        for (int i = 0; i < program->result_count; i++)
            bytes += program->results[i].bytes;
        execute_queue_wait(queue, bytes);
    }
    struct error *error = prepare_once(job, request, index, queued);
    if (error && busy && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED &&
        execute_queue_drain(queue)) {
        error_free(error);
        error = prepare_once(job, request, index, queued);
    }
    return error;
}

/* ---- execute --------------------------------------------------------------------------------- */
/* The program failed, so its results are errors. */
static struct error *fail_results(const struct job *job, const struct error *failure,
                                  struct buffer **results)
{
    const struct program *program = job->executable->executable->program;
    struct error *error = NULL;
    for (int i = 0; i < job->result_count; i++) {
        const struct shape *shape = &program->results[i].shape;
        struct client_memory *memory = job_results_memory(job, i);
        buffer_release(results[i]);
        results[i] = NULL;
        if (!error)
            error = buffer_with_error(memory, shape, error_copy(failure), &results[i]);
    }
    for (int i = 0; error && i < job->result_count; i++) {
        buffer_release(results[i]);
        results[i] = NULL;
    }
    return error;
}

/* A job run from a callback can be stopped like the job that runs the callback. */
static struct error *launch_here(struct job *job)
{
    struct execute_queue *queue = job->device->queue;
    if (!execute_queue_is_here(queue))
        return job_launch(job);
    execute_queue_enter(queue, job);
    struct error *error = job_launch(job);
    execute_queue_leave(queue, job);
    return error;
}

/* Ends a job that ran on this thread. As for a queued job, a failure (moved) becomes the error of
 * its results. */
static struct error *finish_inline(struct job *job, struct error *failure, struct buffer **results,
                                   struct event **completed)
{
    struct event *ready = event_ready();
    struct error *error = NULL;
    job_release_ready(job);
    job_release_arguments(job);
    job_release_results(job);
    if (failure)
        error = fail_results(job, failure, results);
    if (failure && completed && !error)
        error = event_create_ready(error_copy(failure), &ready);
    error_free(failure);
    if (completed && !error)
        *completed = ready;
    return error;
}

static struct error *run_inline(struct job *job, struct buffer **results, struct event **completed)
{
    return finish_inline(job, launch_here(job), results, completed);
}

/* `gang`: NULL, or where a place is reserved for the job. */
static void submit(struct job *job, struct gang *gang, struct event **completed)
{
    if (gang)
        gang_join(gang, job);
    /* gang_settle(): only other processes may keep it waiting. */
    job->may_run_here = gang && !execute_queue_in_job() &&
                        can_run_inline(job, job->executable->executable->program->cost);
    loaded_executable_retain(job->executable);
    execute_context_retain(job->context);
    host_transfer_retain(job->host);
    if (completed) {
        event_retain(job->done);
        *completed = job->done;
    }
    execute_queue_submit(job->device->queue, job);
}

/* Queues a job that began as a trial. */
static struct error *begin_again(struct job *job, const struct execute_request *request)
{
    struct buffer **results = job->result_count ? request->results[0] : NULL;
    struct job *queued;
    job_results_undo(job, results);
    job->bytes = 0;
    struct error *error = complete_queued(job, results, &queued);
    if (!error) {
        submit(queued, NULL, request->completed);
        return NULL;
    }
    job_results_undo(job, results);
    roll_back_arguments(job, request->argument_count ? request->arguments[0] : NULL);
    return error;
}

static struct error *run_trial(struct job *job, const struct execute_request *request)
{
    struct error *failure = launch_here(job);
    bool failed = job->progress.limits.budget < 0;
    trial_end(job->executable, failed);
    if (!failed)
        return finish_inline(job, failure, job->result_count ? request->results[0] : NULL,
                             request->completed);
    error_free(failure);
    return begin_again(job, request);
}

/* For an execution that fails as a whole after its results were created. */
static void drop_results(const struct execute_request *request)
{
    int results = request->executable->executable->program->result_count;
    for (size_t i = 0; i < request->device_count; i++) {
        for (int k = 0; k < results; k++) {
            buffer_release(request->results[i][k]);
            request->results[i][k] = NULL;
        }
        if (request->completed && request->completed[i]) {
            event_release(request->completed[i]);
            request->completed[i] = NULL;
        }
    }
}

/* Submits a job and waits until it has run. If the wait is interrupted, or the client has yet to
 * fill an argument, the execution goes on without the caller. */
static struct error *submit_and_wait(struct job *job, const struct execute_request *request)
{
    struct execute_queue *queue = job->device->queue;
    struct event *done = job->done;
    event_retain(done);
    submit(job, NULL, request->completed);
    execute_queue_await(queue, done);
    struct error *error = event_is_ready(done) ? event_error(done) : NULL;
    event_release(done);
    if (error)
        drop_results(request);
    return error;
}

/* Submits the job, or runs it here if it is not queued. */
static struct error *start(struct job *job, struct job *queued, struct gang *gang,
                           const struct execute_request *request)
{
    if (!queued && is_trial(job))
        return run_trial(job, request);
    if (!queued)
        return run_inline(job, job->result_count ? request->results[0] : NULL, request->completed);
    bool waits = job->executable->synchronous && !must_run_inline(job);
    if (waits && !gang) /* the other devices of a gang may be this caller's next calls */
        return submit_and_wait(queued, request);
    submit(queued, gang, request->completed);
    return NULL;
}

/* Whether the client has nothing more to do for the execution to start; a missing argument is an
 * error later. */
static bool can_start(const struct execute_request *request)
{
    for (size_t i = 0; i < request->device_count; i++)
        for (size_t k = 0; k < request->argument_count; k++)
            if (!request->arguments[i][k] || !buffer_is_ready(request->arguments[i][k]))
                return false;
    return true;
}

/* Reserves a place in a gang for a program with collectives. */
static struct error *reserve_one(const struct execute_request *request, struct job *job,
                                 struct gang **out)
{
    *out = NULL;
    if (!has_collectives(request))
        return NULL;
    find_device(request, 0, job);
    return gang_reserve(request->executable, request->launch_id, job->ordinal, can_start(request),
                        out);
}

static struct error *execute_one(const struct execute_request *request)
{
    struct job_workspace space;
    struct job *queued = NULL;
    struct gang *gang;
    void *heap;
    TRY(job_init(&space, request->executable->executable->program, &heap));
    struct error *error = reserve_one(request, &space.job, &gang);
    if (!error) {
        error = prepare(&space.job, request, 0, &queued);
        if (error && gang)
            gang_leave(gang, space.job.ordinal);
    }
    if (!error)
        error = start(&space.job, queued, gang, request);
    gang_release(gang);
    alloc_free(heap);
    return error;
}

/* ---- several devices ------------------------------------------------------------------------- */
struct prepared { /* the job of one device */
    struct job_workspace space;
    void *heap;         /* of the workspace */
    struct job *queued; /* NULL: the job in the workspace runs on this thread */
};

static struct buffer **results_of(const struct execute_request *request, size_t index)
{
    return request->executable->executable->program->result_count ? request->results[index] : NULL;
}

static void undo(struct prepared *at, const struct execute_request *request, size_t index)
{
    struct job *job = at->queued ? at->queued : &at->space.job;
    job_results_undo(job, results_of(request, index));
    roll_back_arguments(job, request->argument_count ? request->arguments[index] : NULL);
    alloc_free(at->queued);
    alloc_free(at->heap);
}

static struct error *prepare_one(const struct execute_request *request, size_t index,
                                 const struct prepared *first, struct prepared *out)
{
    out->queued = NULL;
    TRY(job_init(&out->space, request->executable->executable->program, &out->heap));
    out->space.job.first = index ? first->queued : NULL;
    struct error *error = prepare(&out->space.job, request, index, &out->queued);
    if (error)
        alloc_free(out->heap);
    return error;
}

/* Prepares all devices before the first one starts. */
static struct error *prepare_all(const struct execute_request *request, struct prepared *all)
{
    struct error *error = NULL;
    size_t count = 0;
    for (; count < request->device_count && !error; count += !error)
        error = prepare_one(request, count, &all[0], &all[count]);
    for (; error && count; count--)
        undo(&all[count - 1], request, count - 1);
    return error;
}

/* Submits the queued jobs first: each device has its own queue, so that they run concurrently. */
static struct error *start_all(const struct execute_request *request, struct prepared *all,
                               struct gang *gang)
{
    struct error *error = NULL;
    struct event **completed = request->completed;
    for (size_t i = 0; i < request->device_count; i++) {
        if (completed)
            completed[i] = NULL;
        if (all[i].queued)
            submit(all[i].queued, gang, completed ? &completed[i] : NULL);
    }
    for (size_t i = 0; i < request->device_count; i++) {
        if (!all[i].queued)
            error = error_join(error, run_inline(&all[i].space.job, results_of(request, i),
                                                 completed ? &completed[i] : NULL));
        alloc_free(all[i].heap);
    }
    if (error)
        drop_results(request);
    return error;
}

static struct error *execute_all(const struct execute_request *request)
{
    struct gang *gang = NULL;
    struct prepared *all;
    if (has_collectives(request))
        TRY(gang_reserve(request->executable, request->launch_id, -1, can_start(request), &gang));
    struct error *error = alloc_array(request->device_count, sizeof *all, &all);
    if (!error)
        error = prepare_all(request, all);
    if (!error)
        error = start_all(request, all, gang);
    gang_release(gang);
    alloc_free(all);
    return error;
}

struct error *execute_checked(const struct execute_request *request)
{
    TRY(execute_check_hosts(request));
    if (!request->device_count) /* all devices are in other processes */
        return NULL;
    return buffer_sizes_execute(request, request->device_count == 1 ? execute_one : execute_all);
}

struct error *execute(const struct execute_request *request)
{
    TRY(execute_check(request));
    return execute_checked(request);
}

void execute_delete(struct loaded_executable *executable)
{
    struct client *client = executable->client;
    atomic_store(&executable->deleted, true);
    for (int i = 0; i < client->local_count; i++)
        execute_queue_stop(client->local_devices[i]->queue, executable);
    gangs_cancel(client->gangs, executable);
}
