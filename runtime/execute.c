#include "runtime/execute.h"

#include <string.h>

#include "base/alloc.h"
#include "base/text.h"
#include "runtime/execute_queue.h"

/* Programs up to this cost run on the caller's thread: about as long as a hand-over. */
enum { INLINE_COST = 500000 };

/* ---- checks ---------------------------------------------------------------------------------- */
static void describe(struct text *text, enum dtype dtype, int rank, const int64_t *dims)
{
    text_add(text, "%s[", dtype_name(dtype));
    for (int i = 0; i < rank; i++)
        text_add(text, i ? ",%lld" : "%lld", (long long)dims[i]);
    text_add(text, "]");
}

static struct error *wrong_shape(const struct program *program, int index,
                                 const struct buffer *buffer)
{
    const struct program_value *wanted = &program->parameters[index];
    struct text got = {0}, want = {0};
    describe(&got, buffer_dtype(buffer), buffer_rank(buffer), buffer_dims(buffer));
    describe(&want, wanted->shape.dtype, wanted->shape.rank, wanted->shape.dims);
    struct error *error =
        ERROR(INVALID_ARGUMENT, "argument %d of '%s' is %s, but was compiled as %s", index,
              program->name, got.data ? got.data : "?", want.data ? want.data : "?");
    text_free(&got), text_free(&want);
    return error;
}

static struct error *check_argument(const struct program *program, int index,
                                    const struct buffer *buffer, const struct client_device *device)
{
    if (!buffer)
        return ERROR(INVALID_ARGUMENT, "argument %d of '%s' is NULL", index, program->name);
    const struct program_value *wanted = &program->parameters[index];
    const struct client_memory *memory = buffer_memory(buffer);
    bool token =
        wanted->shape.dtype == DTYPE_TOKEN; /* JAX gives an empty array for its first token */
    if (!token &&
        (buffer_dtype(buffer) != wanted->shape.dtype || buffer_rank(buffer) != wanted->shape.rank ||
         (wanted->shape.rank && memcmp(buffer_dims(buffer), wanted->shape.dims,
                                       (size_t)wanted->shape.rank * sizeof(int64_t)))))
        return wrong_shape(program, index, buffer);
    if (!token && !buffer_has_order(buffer, wanted->shape.minor_to_major))
        return ERROR(INVALID_ARGUMENT,
                     "the dimensions of argument %d of '%s' lie in memory in another order than it "
                     "was compiled for",
                     index, program->name);
    if (memory->device != device)
        return ERROR(INVALID_ARGUMENT, "argument %d of '%s' is on %s, but the program runs on %s",
                     index, program->name, memory->device->device->text, device->device->text);
    return NULL;
}

static struct error *check_request(const struct execute_request *request)
{
    const struct loaded_executable *loaded = request->executable;
    const struct program *program = loaded->executable->program;
    int expected = request->device ? 1 : loaded->device_count;
    if (atomic_load_explicit(&loaded->deleted, memory_order_acquire))
        return ERROR(FAILED_PRECONDITION, "the executable '%s' has been deleted", program->name);
    if (request->device_count != expected)
        return ERROR(INVALID_ARGUMENT, "'%s' is executed on %d devices, but was compiled for %d",
                     program->name, request->device_count, expected);
    if (request->argument_count != program->parameter_count)
        return ERROR(INVALID_ARGUMENT,
                     "Execution supplied %d buffers but compiled program expected %d buffers: '%s'",
                     request->argument_count, program->parameter_count, program->name);
    for (int i = 0; i < request->device_count; i++)
        TRY(host_transfer_check(request->hosts ? request->hosts[i] : NULL, program));
    return NULL;
}

/* The device of place `index` of the request, and its place in the assignment. */
static struct error *find_device(const struct execute_request *request, int index, struct job *job)
{
    const struct loaded_executable *loaded = request->executable;
    if (!request->device) {
        job->device = loaded->devices[index];
        job->ordinal = index;
        return NULL;
    }
    for (int i = 0; i < loaded->device_count; i++)
        if (loaded->devices[i] == request->device)
            job->ordinal = i, job->device = request->device;
    if (!job->device && loaded->portable)
        job->device = request->device;
    return job->device ? NULL
                       : ERROR(INVALID_ARGUMENT, "'%s' was not compiled for %s",
                               loaded->executable->program->name, request->device->device->text);
}

/* ---- preparing ------------------------------------------------------------------------------- */
static bool is_donated(const struct execute_request *request, const struct program *program,
                       int index)
{
    if (!program->parameters[index].donated)
        return false;
    for (int i = 0; i < request->non_donatable_count; i++)
        if (request->non_donatable[i] == index)
            return false;
    return true;
}

static struct space *space_of(const struct client_device *device, enum memory_kind kind)
{
    for (int i = 0; i < device->device->space_count; i++)
        if (device->memories[i].kind == kind)
            return device->memories[i].space;
    return device->memories[0].space;
}

static struct client_memory *memory_of(struct client_device *device, enum memory_kind kind)
{
    for (int i = 0; i < device->device->space_count; i++)
        if (device->memories[i].kind == kind)
            return &device->memories[i];
    return &device->memories[0];
}

/* Gives what was taken back, in the reverse of prepare(). */
static void take_back(struct job *job, struct buffer *const *arguments,
                      const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    for (int i = 0; i < job->argument_count; i++) {
        if (!job->ready[i])
            continue;
        event_release(job->ready[i]);
        if (!is_donated(request, program, i)) {
            storage_release(job->arguments[i]);
            continue;
        }
        int result = program->parameters[i].alias;
        struct storage *storage = job->arguments[i];
        if (!storage && result >= 0) {
            storage = job->results[result];
            job->results[result] = NULL;
        }
        buffer_take_back(arguments[i], storage);
    }
    job_release_results(job);
    memset(job->results, 0, (size_t)job->result_count * sizeof *job->results);
    storage_release(job->temp);
}

/* Donates argument i; its storage becomes the result's where it may be written and fits. */
static struct error *donate(struct job *job, const struct program *program, int i,
                            struct buffer *buffer)
{
    const struct program_value *parameter = &program->parameters[i];
    bool exclusive;
    TRY(buffer_donate(buffer, job->device->queue, &job->arguments[i], &job->ready[i], &exclusive));
    struct storage *storage = job->arguments[i];
    job->addresses[i] = storage ? storage->bytes : NULL;
    if (parameter->alias < 0)
        return NULL;
    const struct program_value *result = &program->results[parameter->alias];
    if (exclusive && storage->size >= result->bytes && !job->results[parameter->alias] &&
        storage->space == space_of(job->device, result->shape.memory)) {
        job->results[parameter->alias] = storage;
        job->arguments[i] = NULL;
    }
    return NULL;
}

static struct error *take_arguments(struct job *job, const struct execute_request *request,
                                    struct buffer *const *arguments)
{
    const struct program *program = request->executable->executable->program;
    struct error *error = NULL;
    bool locked = false;
    for (int i = 0; i < job->argument_count && !error; i++) {
        if (!is_donated(request, program, i))
            continue;
        if (!locked)
            execute_queue_lock(job->device->queue);
        locked = true;
        error = donate(job, program, i, arguments[i]);
    }
    if (locked)
        execute_queue_unlock(job->device->queue);
    for (int i = 0; i < job->argument_count && !error; i++) {
        if (job->ready[i])
            continue;
        error = buffer_acquire(arguments[i], &job->arguments[i], &job->ready[i]);
        job->addresses[i] = job->arguments[i] ? job->arguments[i]->bytes : NULL;
    }
    return error;
}

static struct error *take_results(struct job *job, const struct program *program)
{
    for (int i = 0; i < job->result_count; i++) {
        const struct program_value *result = &program->results[i];
        if (!job->results[i]) {
            TRY(space_alloc(space_of(job->device, result->shape.memory), result->bytes,
                            &job->results[i]));
            job->bytes += result->bytes;
        }
        job->addresses[job->argument_count + i] = job->results[i]->bytes;
    }
    return NULL;
}

static struct error *prepare_once(struct job *job, const struct execute_request *request, int index)
{
    const struct program *program = request->executable->executable->program;
    struct buffer *const *arguments = request->argument_count ? request->arguments[index] : NULL;
    job->executable = request->executable;
    job->run_id = request->launch_id;
    job->context = request->context;
    job->host = request->hosts ? request->hosts[index] : NULL;
    job->client_mode = fpu_current();
    job->bytes = 0;
    for (int i = 0; i < job->argument_count; i++) {
        TRY(check_argument(program, i, arguments[i], job->device));
        job->arguments[i] = NULL;
        job->ready[i] = NULL;
    }
    struct error *error = take_arguments(job, request, arguments);
    if (!error)
        error = take_results(job, program);
    if (error)
        take_back(job, arguments, request);
    return error;
}

/* ---- results --------------------------------------------------------------------------------- */
/* Makes the result buffers; all are ready with `ready` (borrowed). */
static struct error *make_results(struct job *job, struct event *ready, struct buffer **results)
{
    const struct program *program = job->executable->executable->program;
    struct error *error = NULL;
    int made = 0;
    for (; made < job->result_count && !error; made++) {
        const struct program_value *result = &program->results[made];
        storage_retain(job->results[made]);
        event_retain(ready);
        error = buffer_create(memory_of(job->device, result->shape.memory), result->shape.dtype,
                              result->shape.rank, result->shape.dims, job->results[made], ready,
                              &results[made]);
        if (!error)
            error = buffer_set_order(results[made], result->shape.minor_to_major);
    }
    for (int i = 0; error && i < made; i++) {
        buffer_release(results[i]);
        results[i] = NULL;
    }
    return error;
}

/* Where the memory is full, what is queued is given the time to free some. */
static struct error *prepare(struct job *job, const struct execute_request *request, int index)
{
    const struct program *program = request->executable->executable->program;
    TRY(find_device(request, index, job));
    struct execute_queue *queue = job->device->queue;
    if (execute_queue_pending(queue)) {
        uint64_t bytes = 0;
        for (int i = 0; i < program->result_count; i++)
            bytes += program->results[i].bytes;
        execute_queue_wait(queue, bytes);
    }
    struct error *error = prepare_once(job, request, index);
    if (error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED &&
        execute_queue_pending(queue) && execute_queue_drain(queue)) {
        error_free(error);
        error = prepare_once(job, request, index);
    }
    return error;
}

/* ---- execute --------------------------------------------------------------------------------- */
/* A custom call that executes programs itself may wait for them: behind it in the queue they would
 * never start. */
static bool can_run_inline(const struct job *job)
{
    bool nested = execute_queue_is_here(job->device->queue);
    if (!nested && (job->executable->executable->program->cost > INLINE_COST ||
                    job->executable->calls_out || execute_queue_pending(job->device->queue)))
        return false;
    for (int i = 0; i < job->argument_count; i++)
        if (!event_is_good(job->ready[i]))
            return false;
    return true;
}

/* Runs the job on this thread. Its failure is that of its results, as if it had been queued. */
static struct error *run_inline(struct job *job, struct buffer **results, struct event **completed)
{
    struct event *ready = event_ready();
    struct error *error = job_launch(job);
    if (error)
        error = event_create_ready(error, &ready);
    if (!error)
        error = make_results(job, ready, results);
    job_release_ready(job);
    job_release_arguments(job);
    job_release_results(job);
    if (completed && !error)
        *completed = ready;
    else
        event_release(ready);
    return error;
}

/* Makes results that are ready later, and hands a copy of the job over. */
static struct error *run_queued(struct job *job, struct buffer **results, struct event **completed)
{
    struct job *queued = NULL;
    struct error *error = event_create(&job->done);
    if (!error)
        error = job_copy(job, &queued);
    if (!error)
        error = make_results(job, job->done, results);
    if (error) {
        event_release(job->done);
        job_release_ready(job);
        job_release_arguments(job);
        job_release_results(job);
        alloc_free(queued);
        return error;
    }
    loaded_executable_retain(queued->executable);
    execute_context_retain(queued->context);
    host_transfer_retain(queued->host);
    if (completed) {
        event_retain(job->done);
        *completed = job->done;
    }
    execute_queue_submit(queued->device->queue, queued);
    return NULL;
}

static struct error *execute_one(const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    struct job_workspace space;
    void *heap;
    TRY(job_init(&space, program, &heap));
    struct error *error = prepare(&space.job, request, 0);
    struct event **completed = request->completed;
    if (!error && can_run_inline(&space.job))
        error = run_inline(&space.job, request->results[0], completed);
    else if (!error)
        error = run_queued(&space.job, request->results[0], completed);
    alloc_free(heap);
    return error;
}

struct placed { /* a job of an execution on several devices */
    struct job_workspace space;
    void *heap;
    bool prepared;
};

/* Ends what execute_all() began; after a failure no result is left, also of devices that run
 * already. */
static void forget(const struct execute_request *request, struct placed *placed, int queued,
                   bool failed)
{
    for (int i = 0; failed && i < queued; i++) {
        for (int k = 0; k < placed[i].space.job.result_count; k++)
            buffer_release(request->results[i][k]);
        if (request->completed)
            event_release(request->completed[i]);
    }
    for (int i = 0; i < request->device_count; i++) {
        if (placed[i].prepared)
            take_back(&placed[i].space.job, request->argument_count ? request->arguments[i] : NULL,
                      request);
        alloc_free(placed[i].heap);
    }
    alloc_free(placed);
}

/* All devices are prepared before the first one starts. Each has its own queue, so that they run at
 * once. */
static struct error *execute_all(const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    struct placed *placed;
    TRY(alloc_array((size_t)request->device_count, sizeof *placed, &placed));
    struct error *error = NULL;
    for (int i = 0; i < request->device_count && !error; i++) {
        error = job_init(&placed[i].space, program, &placed[i].heap);
        if (!error)
            error = prepare(&placed[i].space.job, request, i);
        placed[i].prepared = !error;
    }
    int queued = 0;
    for (; queued < request->device_count && !error; queued += !error) {
        placed[queued].prepared = false;
        error = run_queued(&placed[queued].space.job, request->results[queued],
                           request->completed ? &request->completed[queued] : NULL);
    }
    forget(request, placed, queued, error);
    return error;
}

struct error *execute(const struct execute_request *request)
{
    TRY(check_request(request));
    return request->device_count == 1 ? execute_one(request) : execute_all(request);
}
