#include "runtime/job_results.h"

struct client_memory *job_results_memory(const struct job *job, int index)
{
    struct client_device *device = job->device;
    enum memory_kind kind = job->executable->executable->program->results[index].shape.memory;
    return &device->memories[(int)kind < device->device->space_count ? kind : MEMORY_DEVICE];
}

/* ---- one result ------------------------------------------------------------------------------ */
/* Whether a result may reuse the memory of the donated argument that the program names. */
static bool can_reuse(const struct job *job, const struct program_value *result,
                      const struct client_memory *memory)
{
    if (result->alias < 0 || result->alias >= job->argument_count ||
        job->donation[result->alias] != JOB_DONATED)
        return false;
    const struct storage_hold *hold = &job->arguments[result->alias];
    return storage_may_write(hold) && hold->storage->size >= result->bytes &&
           hold->storage->space == memory->space;
}

/* Creates a result with memory of its own. That of a queued job has no bytes before the job starts,
 * so that those which earlier jobs' results had, and which are still in the cache, can be its own.
 */
static struct error *allocate_result(struct job *job, int index, const struct program_value *result,
                                     struct client_memory *memory, struct event *ready,
                                     struct buffer **out)
{
    struct storage *storage;
    struct label label = result_labels_get(job->executable->executable->labels, index);
    TRY((job->done ? client_memory_reserve : client_memory_alloc)(memory, &result->shape,
                                                                  result->bytes, &label, &storage));
    struct storage_hold hold = storage_initial_hold(storage);
    struct error *error = buffer_create(memory, &result->shape, result->bytes, hold, ready, out);
    if (error) {
        storage_drop(&hold);
        return error;
    }
    if (job->done)
        job->results[index] = storage_keep(storage).storage;
    else
        job->addresses[job->argument_count + index] = storage->address;
    job->bytes += result->bytes;
    return NULL;
}

/* Creates a result in the memory of a donated argument. */
static struct error *alias_result(struct job *job, int index, const struct program_value *result,
                                  struct client_memory *memory, struct event *ready,
                                  struct buffer **out)
{
    struct storage_hold *argument = &job->arguments[result->alias];
    TRY(buffer_create(memory, &result->shape, result->bytes, *argument, ready, out));
    struct label label = result_labels_get(job->executable->executable->labels, index);
    prepacked_clear(&argument->storage->prepacked);
    storage_set_label(argument, &label);
    *argument = storage_keep(argument->storage);
    job->donation[result->alias] = JOB_REUSED;
    return NULL;
}

static bool have_common_memory(const struct device *a, const struct device *b)
{
    return a->shares_host_memory && b->shares_host_memory &&
           a->placement.node == b->placement.node && a->placement.first == b->placement.first;
}

/* Whether the result's memory can be that of the first device's result. */
static bool can_share(const struct job *job, int index)
{
    const struct executable *executable = job->executable->executable;
    return job->first && executable->shared && executable->shared[index] &&
           job->first->results[index] &&
           have_common_memory(job->device->device, job->first->device->device);
}

/* Creates a result on the memory of the first device's result, whose token its buffer has. The read
 * holds of all others keep programs from writing there. */
static struct error *share_result(struct job *job, int index, const struct program_value *result,
                                  struct client_memory *memory, struct event *ready,
                                  struct buffer **out)
{
    struct storage *storage = job->first->results[index];
    struct storage_hold hold = storage_read(storage);
    struct error *error = buffer_create(memory, &result->shape, result->bytes, hold, ready, out);
    if (error) {
        storage_drop(&hold);
        return error;
    }
    job->results[index] = storage_keep(storage).storage;
    return NULL;
}

static struct error *create_result(struct job *job, int index, struct event *ready,
                                   struct buffer **out)
{
    const struct program_value *result = &job->executable->executable->program->results[index];
    struct client_memory *memory = job_results_memory(job, index);
    if (can_reuse(job, result, memory))
        return alias_result(job, index, result, memory, ready, out);
    if (can_share(job, index))
        return share_result(job, index, result, memory, ready, out);
    return allocate_result(job, index, result, memory, ready, out);
}

/* Returns the token of a result's memory to the argument. */
static void return_reused_argument(struct job *job, const struct program_value *result,
                                   struct buffer *buffer)
{
    struct storage_hold token;
    struct event *ready;
    error_free(buffer_donate(buffer, &token, &ready));
    event_release(ready);
    storage_drop(&job->arguments[result->alias]);
    job->arguments[result->alias] = token;
    job->donation[result->alias] = JOB_DONATED;
}

/* ---- all results ----------------------------------------------------------------------------- */
struct error *job_results_create(struct job *job, struct event *ready, struct buffer **results)
{
    for (int i = 0; i < job->result_count; i++) {
        event_retain(ready);
        struct error *error = create_result(job, i, ready, &results[i]);
        if (error) {
            event_release(ready);
            return error;
        }
    }
    return NULL;
}

void job_results_undo(struct job *job, struct buffer **results)
{
    const struct program *program = job->executable->executable->program;
    for (int i = 0; i < job->result_count; i++) {
        int argument = program->results[i].alias;
        if (results[i] && argument >= 0 && job->donation[argument] == JOB_REUSED)
            return_reused_argument(job, &program->results[i], results[i]);
        buffer_release(results[i]);
        results[i] = NULL;
    }
    job_release_results(job);
    event_release(job->done);
    job->done = NULL;
}
