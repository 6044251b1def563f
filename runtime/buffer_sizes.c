#include "runtime/buffer_sizes.h"

#include <string.h>

#include "base/alloc.h"
#include "base/fork.h"
#include "runtime/buffer_to_host.h"

struct buffer_sizes {
    struct refs refs;
    size_t count;
    size_t dimensions[SHAPE_MAX_RANK];
    struct buffer *values[SHAPE_MAX_RANK]; /* one for each of these; retained */
    atomic_bool known;                     /* `dims` is set; written under fork_lock_of(this) */
    int64_t dims[SHAPE_MAX_RANK];
};

void buffer_sizes_retain(struct buffer_sizes *sizes)
{
    if (sizes)
        refs_retain(&sizes->refs);
}

void buffer_sizes_release(struct buffer_sizes *sizes)
{
    if (!sizes || !refs_release(&sizes->refs))
        return;
    for (size_t i = 0; i < sizes->count; i++)
        buffer_release(sizes->values[i]);
    alloc_free(sizes);
}

const size_t *buffer_sizes_dynamic(const struct buffer *buffer, size_t *count)
{
    static const size_t none;
    const struct buffer_sizes *sizes = buffer_get_sizes(buffer);
    *count = sizes ? sizes->count : 0;
    return sizes ? sizes->dimensions : &none;
}

/* ---- their values ---------------------------------------------------------------------------- */

static struct error *read_size(struct buffer *buffer, int64_t bound, int64_t *out)
{
    struct event *done;
    int32_t size = 0;
    TRY(buffer_to_host(buffer, NULL, &size, sizeof size, &done));
    struct error *error = event_await(done);
    event_release(done);
    *out = size < 0 ? 0 : size > bound ? bound : size;
    return error;
}

static struct error *read_all(const struct buffer *buffer, struct buffer_sizes *sizes)
{
    const struct shape *shape = buffer_shape(buffer);
    int64_t dims[SHAPE_MAX_RANK];
    for (int i = 0; i < shape->rank; i++)
        dims[i] = shape->dims[i];
    for (size_t i = 0; i < sizes->count; i++) {
        size_t dimension = sizes->dimensions[i];
        TRY(read_size(sizes->values[i], shape->dims[dimension], &dims[dimension]));
    }
    fork_lock_take(fork_lock_of(sizes));
    if (!atomic_load_explicit(&sizes->known, memory_order_relaxed))
        memcpy(sizes->dims, dims, sizeof sizes->dims);
    atomic_store_explicit(&sizes->known, true, memory_order_release);
    fork_lock_release(fork_lock_of(sizes));
    return NULL;
}

struct error *buffer_sizes_shape(struct buffer *buffer, struct shape *out)
{
    struct buffer_sizes *sizes = buffer_get_sizes(buffer);
    *out = *buffer_shape(buffer);
    if (!sizes)
        return NULL;
    if (!atomic_load_explicit(&sizes->known, memory_order_acquire))
        TRY(read_all(buffer, sizes));
    *out = shape_without_layout(out);
    out->dims = sizes->dims;
    return NULL;
}

/* ---- executions ------------------------------------------------------------------------------ */

/* One device's lists with the hidden values at their ends. */
struct lists {
    struct buffer **arguments, **results;
    struct buffer **owned;       /* by argument: made for this execution, or NULL */
    struct buffer_sizes **sizes; /* by visible result: for its buffer; NULL: it has none */
};

static struct buffer *size_of(const struct buffer *buffer, int dimension)
{
    const struct buffer_sizes *sizes = buffer ? buffer_get_sizes(buffer) : NULL;
    for (size_t i = 0; sizes && i < sizes->count; i++)
        if (sizes->dimensions[i] == (size_t)dimension)
            return sizes->values[i];
    return NULL;
}

static struct client_memory *memory_of(const struct execute_request *request, size_t device)
{
    const struct loaded_executable *loaded = request->executable;
    struct client_device *on = request->device ? request->device : loaded->local_devices[device];
    return &on->memories[MEMORY_DEVICE];
}

/* A buffer with the bound of an argument without sizes. */
static struct error *make_bound(struct client_memory *memory, int32_t bound, struct buffer **out)
{
    const struct shape scalar = {.dtype = DTYPE_S32};
    const struct host_array array = {.data = &bound, .shape = scalar};
    struct event *done;
    TRY(buffer_from_host(memory, &scalar, &array, HOST_IMMUTABLE_ONLY_DURING_CALL, &done, out));
    event_release(done);
    return NULL;
}

/* The size that the program gets: *owned, or that of the argument, if it is on the device. */
static struct error *find_size(const struct program *program, const struct program_size *size,
                               struct client_memory *memory, const struct lists *lists)
{
    struct buffer **owned = &lists->owned[size->index];
    struct buffer *value = size_of(lists->arguments[size->value], size->dimension);
    int64_t bound = program->parameters[size->value].shape.dims[size->dimension];
    if (!value)
        TRY(make_bound(memory, (int32_t)bound, owned));
    else if (buffer_memory(value) != memory)
        TRY(buffer_copy_to_memory(value, memory, owned));
    lists->arguments[size->index] = *owned ? *owned : value;
    return NULL;
}

static struct error *add_arguments(const struct execute_request *request, size_t device,
                                   struct lists *lists)
{
    const struct program *program = request->executable->executable->program;
    for (size_t i = 0; i < request->argument_count; i++)
        lists->arguments[i] = request->arguments[device][i];
    for (int i = 0; i < program->size_count; i++) {
        const struct program_size *size = &program->sizes[i];
        if (!size->of_result)
            TRY(find_size(program, size, memory_of(request, device), lists));
    }
    return NULL;
}

/* Before the execution: after it, nothing may fail. */
static struct error *make_sizes(const struct program *program, const struct lists *lists)
{
    for (int i = 0; i < program->size_count; i++) {
        const struct program_size *size = &program->sizes[i];
        struct buffer_sizes **of = &lists->sizes[size->value];
        if (!size->of_result || *of)
            continue;
        TRY(alloc_zeroed(sizeof **of, of));
        refs_init(&(*of)->refs);
    }
    return NULL;
}

/* Moves the results to the client's list. */
static void move_results(const struct execute_request *request, size_t device,
                         const struct lists *lists)
{
    const struct program *program = request->executable->executable->program;
    for (int i = 0; i < program->size_count; i++) {
        const struct program_size *size = &program->sizes[i];
        struct buffer_sizes *sizes = size->of_result ? lists->sizes[size->value] : NULL;
        if (!sizes)
            continue;
        sizes->dimensions[sizes->count] = (size_t)size->dimension;
        sizes->values[sizes->count++] = lists->results[size->index];
    }
    for (int i = 0; i < program_visible(program, true); i++) {
        request->results[device][i] = lists->results[i];
        if (lists->sizes[i])
            buffer_set_sizes(lists->results[i], lists->sizes[i]);
        lists->sizes[i] = NULL;
    }
}

static struct error *begin_lists(const struct execute_request *request, size_t device,
                                 struct lists *lists)
{
    const struct program *program = request->executable->executable->program;
    size_t arguments = (size_t)program->parameter_count + 1,
           results = (size_t)program->result_count + 1;
    TRY(alloc_array(arguments, sizeof *lists->arguments, &lists->arguments));
    TRY(alloc_array(arguments, sizeof *lists->owned, &lists->owned));
    TRY(alloc_array(results, sizeof *lists->sizes, &lists->sizes));
    TRY(alloc_array(results, sizeof *lists->results, &lists->results));
    TRY(make_sizes(program, lists));
    return add_arguments(request, device, lists);
}

static void end_lists(const struct program *program, struct lists *lists)
{
    for (int i = 0; lists->owned && i < program->parameter_count; i++)
        buffer_release(lists->owned[i]);
    for (int i = 0; lists->sizes && i < program->result_count; i++)
        buffer_sizes_release(lists->sizes[i]);
    alloc_free(lists->sizes);
    alloc_free(lists->arguments);
    alloc_free(lists->owned);
    alloc_free(lists->results);
}

/* Runs with the lists of all devices, which are prepared. */
static struct error *run_with(const struct execute_request *request, struct lists *lists,
                              struct error *(*run)(const struct execute_request *request))
{
    struct buffer ***results, *const **arguments;
    struct execute_request whole = *request;
    TRY(alloc_array(request->device_count, sizeof *results, &results));
    struct error *error = alloc_array(request->device_count, sizeof *arguments, &arguments);
    for (size_t i = 0; !error && i < request->device_count; i++)
        results[i] = lists[i].results, arguments[i] = lists[i].arguments;
    if (!error) {
        whole.argument_count = (size_t)request->executable->executable->program->parameter_count;
        whole.arguments = (struct buffer *const *const *)arguments;
        whole.results = results;
        error = run(&whole);
        alloc_free((void *)arguments);
    }
    alloc_free(results);
    for (size_t i = 0; !error && i < request->device_count; i++)
        move_results(request, i, &lists[i]);
    return error;
}

struct error *buffer_sizes_execute(const struct execute_request *request,
                                   struct error *(*run)(const struct execute_request *request))
{
    struct lists *lists;
    struct error *error = NULL;
    if (!request->executable->executable->program->size_count)
        return run(request);
    TRY(alloc_array(request->device_count, sizeof *lists, &lists));
    for (size_t i = 0; !error && i < request->device_count; i++)
        error = begin_lists(request, i, &lists[i]);
    if (!error)
        error = run_with(request, lists, run);
    for (size_t i = 0; i < request->device_count; i++)
        end_lists(request->executable->executable->program, &lists[i]);
    alloc_free(lists);
    return error;
}
