#include "runtime/execute_check.h"

#include "base/text.h"
#include "runtime/buffer_sizes.h"

static struct error *wrong_shape(const struct program *program, int index,
                                 const struct buffer *buffer)
{
    const char *sharding = program->parameters[index].sharding; /* NULL: one partition */
    struct text got = {0}, want = {0};
    shape_print(buffer_shape(buffer), &got);
    shape_print(&program->parameters[index].shape, &want);
    struct error *error =
        ERROR(INVALID_ARGUMENT, "argument %d of '%s' is %s, but was compiled as %s%s%s", index,
              program->name, got.data ? got.data : "?", want.data ? want.data : "?",
              sharding ? ", a shard of a value with sharding " : "", sharding ? sharding : "");
    text_free(&got), text_free(&want);
    return error;
}

/* Does not compare memory kinds. */
static bool is_compiled_for(const struct shape *wanted, const struct shape *got)
{
    if (wanted->dtype == DTYPE_TOKEN) /* JAX passes an empty array as its first token */
        return true;
    return got->dtype == wanted->dtype && shape_same_dims(got, wanted) &&
           (shape_same_layout(got, wanted) ||
            (shape_is_row_major(got) && shape_is_row_major(wanted)));
}

/* Whether the program knows a size of an argument that is not that of its shape. */
static bool has_size(const struct program *program, int index, size_t dimension)
{
    for (int i = 0; i < program->size_count; i++) {
        const struct program_size *size = &program->sizes[i];
        if (!size->of_result && size->value == index && (size_t)size->dimension == dimension)
            return true;
    }
    return false;
}

static struct error *check_sizes(const struct program *program, int index,
                                 const struct buffer *buffer)
{
    size_t count;
    const size_t *dimensions = buffer_sizes_dynamic(buffer, &count);
    for (size_t i = 0; i < count; i++)
        if (!has_size(program, index, dimensions[i]))
            return ERROR(
                INVALID_ARGUMENT,
                "argument %d of '%s' has a dynamic size in dimension %zu, but was compiled "
                "with a static one",
                index, program->name, dimensions[i]);
    return NULL;
}

struct error *execute_check_argument(const struct program *program, int index,
                                     const struct buffer *buffer,
                                     const struct client_device *device)
{
    if (!buffer)
        return ERROR(INVALID_ARGUMENT, "argument %d of '%s' is NULL", index, program->name);
    const struct client_memory *memory = buffer_memory(buffer);
    if (memory->client != device->client)
        return ERROR(INVALID_ARGUMENT, "argument %d of '%s' belongs to a different client", index,
                     program->name);
    if (program->parameters[index].shape.dtype != DTYPE_TOKEN &&
        memory->kind != program->parameters[index].shape.memory)
        return ERROR(INVALID_ARGUMENT,
                     "argument %d of '%s' is in %s memory, but was compiled for %s memory; copy it "
                     "there, or declare the memory kind of the argument",
                     index, program->name, memory_kind_name(memory->kind),
                     memory_kind_name(program->parameters[index].shape.memory));
    if (!is_compiled_for(&program->parameters[index].shape, buffer_shape(buffer)))
        return wrong_shape(program, index, buffer);
    TRY(check_sizes(program, index, buffer));
    if (memory->device != device)
        return ERROR(INVALID_ARGUMENT, "argument %d of '%s' is on %s, but the program runs on %s",
                     index, program->name, memory->device->device->text, device->device->text);
    return NULL;
}

/* The inner list of each device. */
static struct error *check_lists(const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    for (size_t i = 0; i < request->device_count; i++) {
        if (request->argument_count && (!request->arguments || !request->arguments[i]))
            return ERROR(INVALID_ARGUMENT, "'%s': the list of arguments of device %zu is NULL",
                         program->name, i);
        if (program->result_count && (!request->results || !request->results[i]))
            return ERROR(INVALID_ARGUMENT, "'%s': the list of results of device %zu is NULL",
                         program->name, i);
    }
    if (request->non_donatable_count > INT32_MAX) /* XLA accepts any number of them, and repeats */
        return ERROR(INVALID_ARGUMENT,
                     "'%s': the list of non-donatable arguments has %zu numbers; at most %d are "
                     "allowed",
                     program->name, request->non_donatable_count, INT32_MAX);
    if (request->non_donatable_count && !request->non_donatable)
        return ERROR(INVALID_ARGUMENT, "'%s': the list of %zu non-donatable arguments is NULL",
                     program->name, request->non_donatable_count);
    return NULL;
}

/* A request for one device: the program was compiled for it, and it is in this process. */
static struct error *check_device(const struct loaded_executable *loaded,
                                  const struct client_device *device)
{
    bool found = loaded->portable && device->client == loaded->client;
    for (int i = 0; i < loaded->device_count; i++)
        found = found || loaded->devices[i] == device;
    if (!found)
        return ERROR(INVALID_ARGUMENT, "'%s' was not compiled for %s",
                     loaded->executable->program->name, device->device->text);
    struct error *error = client_check_local(device);
    return error ? error_prefix(error, "the device to execute on") : NULL;
}

struct error *execute_check(const struct execute_request *request)
{
    const struct loaded_executable *loaded = request->executable;
    const struct program *program = loaded->executable->program;
    int expected = request->device ? 1 : loaded->local_count;
    if (atomic_load_explicit(&loaded->deleted, memory_order_acquire))
        return ERROR(FAILED_PRECONDITION, "the executable '%s' has been deleted", program->name);
    if (program->plan_only)
        return ERROR(FAILED_PRECONDITION,
                     "'%s' was compiled only to be planned; it cannot be executed", program->name);
    if (request->device_count != (size_t)expected)
        return ERROR(INVALID_ARGUMENT, "'%s': the number of devices is %zu; it was compiled for %d",
                     program->name, request->device_count, expected);
    if (request->device)
        TRY(check_device(loaded, request->device));
    int arguments = program_visible(program, false);
    if (request->device_count && request->argument_count != (size_t)arguments)
        return ERROR(INVALID_ARGUMENT,
                     "Execution supplied %zu buffers but compiled program expected %d buffers: "
                     "'%s'",
                     request->argument_count, arguments, program->name);
    return check_lists(request);
}

struct error *execute_check_hosts(const struct execute_request *request)
{
    const struct program *program = request->executable->executable->program;
    for (size_t i = 0; i < request->device_count; i++)
        TRY(host_transfer_check(request->hosts ? request->hosts[i] : NULL, program));
    return NULL;
}
