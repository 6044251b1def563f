/* execute.c: an execution on one device is a `job`. Preparing it takes what it needs (argument memory, result
 * memory, temp) so that nothing can fail later but the program itself; then it runs here or on the queue.
 *
 * A job's holds: one reference for each argument's storage, but for a donated one that became a result's, which
 * counts as the result's; one for each result's. buffer_donate() relies on it: a result of a queued job has
 * exactly one holder besides its buffer as long as the job's event is marked with the queue. The mark is
 * removed and the reference dropped under the queue's lock. */
#include "runtime/execute.h"

#include <pthread.h>
#include <string.h>

#include "base/alloc.h"
#include "base/pool.h"
#include "base/text.h"

enum {
    INLINE_COST =
        200000, /* programs up to this cost run on the caller's thread: about as long as a hand-over */
    SMALL = 32,        /* values of each kind for which a job needs no allocation of its own */
    SMALL_TEMP = 4096, /* bytes of temp memory that lie on the stack of the caller */
    AHEAD = 32,        /* jobs that may be queued on a device */
    AHEAD_BYTES =
        256 << 20 /* of results of queued jobs, beyond which only one more may be queued */
};

struct job {
    struct job *next;
    struct loaded_executable *executable; /* retained once queued */
    struct client_device *device;
    struct event *done; /* retained; NULL while it runs inline */
    int ordinal;
    int64_t run_id;
    const void *context;
    int argument_count, result_count;
    struct storage **arguments; /* holds; NULL: donated to a result, or an error */
    struct storage **results;   /* holds */
    struct event **ready;       /* of the arguments; retained */
    void **addresses;           /* of the arguments, then of the results */
    struct storage *temp;
    uint64_t bytes; /* of results that are not donated memory */
};

struct workspace { /* a job and its arrays */
    struct job job;
    struct storage *storages[2 * SMALL];
    struct event *ready[SMALL];
    void *addresses[2 * SMALL];
};

struct execute_queue {
    struct refs refs;
    atomic_int pending;      /* jobs queued or running */
    pthread_mutex_t lock;    /* guards what follows, and the marks of the jobs' events */
    pthread_cond_t finished; /* a job is done, for those who wait */
    int waiting;
    uint64_t bytes; /* of the results of pending jobs */
    struct job *first, *last;
    bool running; /* a thread of the pool works on the queue */
};

static _Thread_local bool working; /* this thread works on a queue, and must not wait for one */

/* ---- the job's memory ------------------------------------------------------------------------ */
/* Points the job's arrays at the workspace, or at memory of their own (*heap, owned) when it is too small. */
static struct error *job_init(struct workspace *space, const struct program *program, void **heap)
{
    size_t arguments = (size_t)program->parameter_count, results = (size_t)program->result_count;
    struct job *job = &space->job;
    *job = (struct job){.argument_count = program->parameter_count,
                        .result_count = program->result_count};
    job->arguments = space->storages;
    job->ready = space->ready;
    job->addresses = space->addresses;
    *heap = NULL;
    if (arguments > SMALL || results > SMALL) {
        TRY(alloc_array(3 * arguments + 2 * results, sizeof(void *), heap));
        job->arguments = *heap;
        job->addresses = (void **)*heap + arguments + results;
        job->ready = (struct event **)(job->addresses + arguments + results);
    }
    job->results = job->arguments + arguments;
    memset(job->results, 0, results * sizeof *job->results);
    return NULL;
}

/* A copy of the job that outlives the call. */
static struct error *job_copy(const struct job *from, struct job **out)
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

static void release_arguments(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        storage_release(job->arguments[i]);
    storage_release(job->temp);
}

static void release_results(struct job *job)
{
    for (int i = 0; i < job->result_count; i++)
        storage_release(job->results[i]);
}

static void release_ready(struct job *job)
{
    for (int i = 0; i < job->argument_count; i++)
        event_release(job->ready[i]);
}

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
    describe(&want, wanted->dtype, wanted->rank, wanted->dims);
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
    if (buffer_dtype(buffer) != wanted->dtype || buffer_rank(buffer) != wanted->rank ||
        (wanted->rank &&
         memcmp(buffer_dims(buffer), wanted->dims, (size_t)wanted->rank * sizeof(int64_t))))
        return wrong_shape(program, index, buffer);
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
        return ERROR(INVALID_ARGUMENT, "'%s' takes %d arguments, not %d", program->name,
                     program->parameter_count, request->argument_count);
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
    if (program->parameters[index].alias < 0)
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
        if (!storage) {
            storage = job->results[result];
            job->results[result] = NULL;
        }
        buffer_take_back(arguments[i], storage);
    }
    release_results(job);
    memset(job->results, 0, (size_t)job->result_count * sizeof *job->results);
    storage_release(job->temp);
}

/* Donates argument i; its storage becomes the result's where it may be written and fits. */
static struct error *donate(struct job *job, const struct program *program, int i,
                            struct buffer *buffer)
{
    const struct program_value *parameter = &program->parameters[i];
    const struct program_value *result = &program->results[parameter->alias];
    bool exclusive;
    TRY(buffer_donate(buffer, job->device->queue, &job->arguments[i], &job->ready[i], &exclusive));
    struct storage *storage = job->arguments[i];
    job->addresses[i] = storage ? storage->bytes : NULL;
    if (exclusive && storage->size >= result->bytes && !job->results[parameter->alias] &&
        storage->space == space_of(job->device, result->memory)) {
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
            pthread_mutex_lock(&job->device->queue->lock);
        locked = true;
        error = donate(job, program, i, arguments[i]);
    }
    if (locked)
        pthread_mutex_unlock(&job->device->queue->lock);
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
        if (!job->results[i])
            TRY(space_alloc(space_of(job->device, result->memory), result->bytes,
                            &job->results[i]));
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
        error = buffer_create(memory_of(job->device, result->memory), result->dtype, result->rank,
                              result->dims, job->results[made], ready, &results[made]);
    }
    for (int i = 0; error && i < made; i++) {
        buffer_release(results[i]);
        results[i] = NULL;
    }
    return error;
}

/* ---- running --------------------------------------------------------------------------------- */
static struct error *launch_job(struct job *job, void *temp)
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
    };
    return device->ops->launch(device, &launch);
}

static struct error *launch_with_temp(struct job *job)
{
    uint64_t size = job->executable->executable->program->temp_size;
    if (!size)
        return launch_job(job, NULL);
    TRY(space_alloc(job->device->memories[0].space, size, &job->temp));
    return launch_job(job, job->temp->bytes);
}

static struct error *launch_with_small_temp(struct job *job)
{
    _Alignas(64) char temp[SMALL_TEMP];
    return launch_job(job, temp);
}

/* Runs a queued job to its end. An argument that is an error makes the results that error. */
static void run_job(struct execute_queue *queue, struct job *job)
{
    struct loaded_executable *executable = job->executable;
    struct event *done = job->done;
    struct error *error = NULL;
    for (int i = 0; i < job->argument_count && !error; i++)
        error = event_await(job->ready[i]);
    if (!error)
        error = launch_with_temp(job);
    release_ready(job);
    release_arguments(job);
    pthread_mutex_lock(&queue->lock);
    event_mark(done, NULL);
    release_results(job);
    queue->bytes -= job->bytes;
    atomic_fetch_sub_explicit(&queue->pending, 1, memory_order_release);
    if (queue->waiting)
        pthread_cond_broadcast(&queue->finished);
    pthread_mutex_unlock(&queue->lock);
    alloc_free(job);
    error_free(event_set(done, error));
    event_release(done);
    loaded_executable_release(executable);
}

/* ---- the queue ------------------------------------------------------------------------------- */
struct error *execute_queue_create(struct execute_queue **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    refs_init(&(*out)->refs);
    pthread_mutex_init(&(*out)->lock, NULL);
    pthread_cond_init(&(*out)->finished, NULL);
    return NULL;
}

void execute_queue_destroy(struct execute_queue *queue)
{
    if (!queue || !refs_release(&queue->refs))
        return;
    pthread_cond_destroy(&queue->finished);
    pthread_mutex_destroy(&queue->lock);
    alloc_free(queue);
}

static bool has_room(const struct execute_queue *queue, int most, uint64_t bytes)
{
    int pending = atomic_load_explicit(&queue->pending, memory_order_acquire);
    return pending <= most && (pending < 2 || queue->bytes + bytes <= AHEAD_BYTES);
}

/* Waits until at most `most` jobs are pending, and room for `bytes` more of results. */
static void wait_for_room(struct execute_queue *queue, int most, uint64_t bytes)
{
    if (working)
        return;
    pthread_mutex_lock(&queue->lock);
    queue->waiting++;
    while (!has_room(queue, most, bytes))
        pthread_cond_wait(&queue->finished, &queue->lock);
    queue->waiting--;
    pthread_mutex_unlock(&queue->lock);
}

void execute_queue_drain(struct execute_queue *queue)
{
    wait_for_room(queue, 0, 0);
}

/* Works until the queue is empty. The queue may lose its client meanwhile: the thread holds a reference. */
static void work(void *context)
{
    struct execute_queue *queue = context;
    bool nested = working;
    working = true;
    for (;;) {
        pthread_mutex_lock(&queue->lock);
        struct job *job = queue->first;
        if (job)
            queue->first = job->next;
        else
            queue->running = false;
        pthread_mutex_unlock(&queue->lock);
        if (!job)
            break;
        run_job(queue, job);
    }
    working = nested;
    execute_queue_destroy(queue);
}

/* `job` is moved. */
static void submit(struct execute_queue *queue, struct job *job)
{
    job->next = NULL;
    pthread_mutex_lock(&queue->lock);
    atomic_fetch_add_explicit(&queue->pending, 1, memory_order_relaxed);
    queue->bytes += job->bytes;
    event_mark(job->done, queue);
    if (queue->first)
        queue->last->next = job;
    else
        queue->first = job;
    queue->last = job;
    bool start = !queue->running;
    queue->running = true;
    pthread_mutex_unlock(&queue->lock);
    if (!start)
        return;
    refs_retain(&queue->refs);
    struct error *error = pool_submit(pool_shared(), work, queue);
    if (error)
        work(queue); /* no thread to be had: the caller does it */
    error_free(error);
}

/* A client may run far ahead of the device. Here it waits, so that the results of all that was queued do not fill
 * the memory; and where the memory is full, what runs is given the time to free some. */
static struct error *prepare(struct job *job, const struct execute_request *request, int index)
{
    const struct program *program = request->executable->executable->program;
    TRY(find_device(request, index, job));
    struct execute_queue *queue = job->device->queue;
    if (atomic_load_explicit(&queue->pending, memory_order_relaxed) >= 2) {
        uint64_t bytes = 0;
        for (int i = 0; i < program->result_count; i++)
            bytes += program->results[i].bytes;
        wait_for_room(queue, AHEAD - 1, bytes);
    }
    struct error *error = prepare_once(job, request, index);
    if (error && error_code(error) == PJRT_Error_Code_RESOURCE_EXHAUSTED && !working &&
        atomic_load_explicit(&queue->pending, memory_order_acquire)) {
        error_free(error);
        execute_queue_drain(queue);
        error = prepare_once(job, request, index);
    }
    return error;
}

/* ---- execute --------------------------------------------------------------------------------- */
static bool can_run_inline(const struct job *job)
{
    if (job->executable->executable->program->cost > INLINE_COST ||
        atomic_load_explicit(&job->device->queue->pending, memory_order_acquire))
        return false;
    for (int i = 0; i < job->argument_count; i++)
        if (!event_is_good(job->ready[i]))
            return false;
    return true;
}

/* Runs the job on this thread. Its failure is that of its results, as if it had been queued. */
static struct error *run_inline(struct job *job, struct buffer **results, struct event **completed)
{
    uint64_t temp = job->executable->executable->program->temp_size;
    struct event *ready = event_ready();
    struct error *error =
        temp && temp <= SMALL_TEMP ? launch_with_small_temp(job) : launch_with_temp(job);
    if (error)
        error = event_create_ready(error, &ready);
    if (!error)
        error = make_results(job, ready, results);
    release_ready(job);
    release_arguments(job);
    release_results(job);
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
        release_ready(job);
        release_arguments(job);
        release_results(job);
        alloc_free(queued);
        return error;
    }
    loaded_executable_retain(queued->executable);
    if (completed) {
        event_retain(job->done);
        *completed = job->done;
    }
    submit(queued->device->queue, queued);
    return NULL;
}

static struct error *execute_one(const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    struct workspace space;
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
    struct workspace space;
    void *heap;
    bool prepared;
};

/* Ends what execute_all() began; after a failure no result is left, also of devices that run already. */
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

/* All devices are prepared before the first one starts. Each has its own queue, so that they run at once. */
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
