/* stress_context.c: see stress_context.h. */
#include "conformance/stress_context.h"

#include <stdlib.h>
#include <string.h>

const struct stress_shape stress_context_shapes[STRESS_SHAPES] = {
    {1, 256, {256}},
    {1, 4, {4}},
    {1, 1024, {1024}},
    {2, 1024, {32, 32}},
    /* large enough to be copied on other threads */
    {2, 1 << 17, {128, 1024}},
    {1, 5 << 19, {5 << 19}},
};

/* ---- Opening --------------------------------------------------------------------------------- */

static struct error *add_memories(struct stress_context *context, PJRT_Device *device)
{
    const PJRT_Api *api = context->t->api;
    ABI_ARGS(Device_DefaultMemory, home, .device = device);
    ABI_ARGS(Device_AddressableMemories, all, .device = device);
    TRY(ABI_CALL(api, Device_DefaultMemory, &home));
    TRY(ABI_CALL(api, Device_AddressableMemories, &all));
    for (size_t i = 0; i < all.num_memories && context->memory_count < STRESS_MEMORIES; i++) {
        context->devices[context->memory_count] = device;
        context->is_default[context->memory_count] = all.memories[i] == home.memory;
        context->memories[context->memory_count++] = all.memories[i];
    }
    return NULL;
}

static struct error *find_memories(struct stress_context *context)
{
    const PJRT_Api *api = context->t->api;
    ABI_ARGS(Client_AddressableDevices, devices, .client = context->client);
    TRY(ABI_CALL(api, Client_AddressableDevices, &devices));
    for (size_t i = 0; i < devices.num_addressable_devices; i++)
        TRY(add_memories(context, devices.addressable_devices[i]));
    if (!context->memory_count || !context->is_default[0])
        return ERROR(NOT_FOUND, "the first memory of the first device is not its default");
    return NULL;
}

/* Two devices if supported. */
static struct error *open_client(struct stress_context *context, int64_t limit)
{
    const char *name = limit ? "memory_limit" : "device_count";
    PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                              .name = name,
                              .name_size = strlen(name),
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = limit ? limit : 2,
                              .value_size = 1};
    struct error *error = abi_client_create(context->t->api, &option, 1, &context->client);
    if (!error || limit)
        return error;
    error_free(error);
    return abi_client_create(context->t->api, NULL, 0, &context->client);
}

/* Compiles the program and finds out whether the device computes. */
static struct error *open_program(struct stress_context *context)
{
    struct test_context own = *context->t;
    own.client = context->client;
    own.device = context->devices[0];
    PJRT_Buffer *arguments[5] = {0}, *result = NULL;
    float back[256];
    TRY(test_context_compile(&own, PROGRAM_donate, &context->executable));
    TRY(test_context_arguments(&own, PROGRAM_donate, arguments));
    ABI_ARGS(Buffer_IsOnCpu, on_cpu, .buffer = arguments[0]);
    struct error *error = ABI_CALL(own.api, Buffer_IsOnCpu, &on_cpu);
    if (!error)
        error = abi_execute(own.api, context->executable, arguments, 2, &result, 1);
    if (!error)
        error = abi_download(own.api, result, back, sizeof back);
    context->on_host = on_cpu.is_on_cpu;
    for (size_t i = 0; i < 256 && !error; i++)
        context->computes |= back[i] != 0;
    abi_buffer_destroy(own.api, arguments[0]);
    abi_buffer_destroy(own.api, arguments[1]);
    abi_buffer_destroy(own.api, result);
    return error;
}

bool stress_context_open(struct stress_context *context, struct test_context *t, int64_t limit)
{
    memset(context, 0, sizeof *context);
    context->t = t;
    context->limited = limit != 0;
    error_free(abi_gantry(t->api, &context->gantry));
    pthread_rwlock_init(&context->running, NULL);
    for (int i = 0; i < STRESS_SLOTS; i++)
        pthread_rwlock_init(&context->slots[i].lock, NULL);
    return test_context_supported(t, __FILE__, __LINE__, open_client(context, limit)) &&
           CHECK_OK(t, find_memories(context)) && CHECK_OK(t, open_program(context));
}

void stress_context_close(struct stress_context *context)
{
    if (context->executable)
        abi_executable_destroy(context->t->api, context->executable);
    if (context->client)
        abi_client_destroy(context->t->api, context->client);
    for (int i = 0; i < STRESS_SLOTS; i++)
        pthread_rwlock_destroy(&context->slots[i].lock);
    pthread_rwlock_destroy(&context->running);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

enum { TRIES = 12 };

static struct stress_slot *random_slot(struct stress_worker *worker)
{
    return &worker->context->slots[stress_model_below(&worker->random, STRESS_SLOTS)];
}

struct stress_slot *stress_context_lock_empty(struct stress_worker *worker)
{
    for (int i = 0; i < TRIES; i++) {
        struct stress_slot *slot = random_slot(worker);
        if (pthread_rwlock_trywrlock(&slot->lock))
            continue;
        if (!slot->buffer)
            return slot;
        pthread_rwlock_unlock(&slot->lock);
    }
    return NULL;
}

struct stress_slot *stress_context_lock_shared(struct stress_worker *worker, int shape)
{
    for (int i = 0; i < TRIES; i++) {
        struct stress_slot *slot = random_slot(worker);
        if (pthread_rwlock_tryrdlock(&slot->lock))
            continue;
        if (slot->buffer && (shape < 0 || slot->shape == shape))
            return slot;
        pthread_rwlock_unlock(&slot->lock);
    }
    return NULL;
}

struct stress_slot *stress_context_lock_exclusive(struct stress_worker *worker)
{
    for (int i = 0; i < TRIES; i++) {
        struct stress_slot *slot = random_slot(worker);
        if (pthread_rwlock_trywrlock(&slot->lock))
            continue;
        if (slot->buffer)
            return slot;
        pthread_rwlock_unlock(&slot->lock);
    }
    return NULL;
}

void stress_context_unlock(struct stress_slot *slot)
{
    if (slot)
        pthread_rwlock_unlock(&slot->lock);
}

void stress_context_put(struct stress_context *context, struct stress_slot *slot,
                        PJRT_Buffer *buffer, struct stress_value *value, int shape, int memory)
{
    slot->buffer = buffer;
    slot->value = value;
    slot->shape = shape;
    slot->memory = memory;
    slot->owner = atomic_fetch_add(&context->owners, 1) + 1;
    slot->borrowed = false;
    slot->promise = NULL;
    slot->external = 0;
    slot->address = NULL;
    atomic_store(&slot->deleting, false);
    atomic_store(&slot->deleted, false);
}

void stress_context_clear(struct stress_context *context, struct stress_slot *slot)
{
    ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = slot->buffer);
    for (; slot->external; slot->external--)
        CHECK_OK(context->t,
                 ABI_CALL(context->t->api, Buffer_DecreaseExternalReferenceCount, &less));
    abi_buffer_destroy(context->t->api, slot->buffer);
    stress_model_release(slot->value);
    slot->buffer = NULL;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

bool stress_context_create_succeeded(struct stress_context *context, struct error *error)
{
    if (!error || !context->limited || error_code(error) != PJRT_Error_Code_RESOURCE_EXHAUSTED)
        return CHECK_OK(context->t, error);
    error_free(error);
    return false;
}

bool stress_context_use_succeeded(struct stress_context *context, const struct stress_slot *slot,
                                  bool was_deleted, struct error *error)
{
    if (!error)
        CHECK(context->t, !was_deleted, "a deleted buffer of shape %d is used without an error",
              slot->shape);
    if (!error || error_code(error) != PJRT_Error_Code_FAILED_PRECONDITION ||
        !atomic_load(&slot->deleting))
        return stress_context_create_succeeded(context, error);
    error_free(error);
    return false;
}

/* ---- Pending work ---------------------------------------------------------------------------- */

bool stress_context_can_lend(struct stress_worker *worker)
{
    if (worker->loan_count == STRESS_PENDING)
        stress_context_collect_completed(worker);
    return worker->loan_count < STRESS_PENDING;
}

void stress_context_lend(struct stress_worker *worker, float *data, PJRT_Event *done)
{
    worker->loans[worker->loan_count++] = (struct stress_loan){data, done};
}

bool stress_context_can_download(struct stress_worker *worker)
{
    if (worker->download_count == STRESS_PENDING)
        stress_context_collect_completed(worker);
    return worker->download_count < STRESS_PENDING;
}

void stress_context_download(struct stress_worker *worker, const struct stress_download *download)
{
    worker->downloads[worker->download_count] = *download;
    stress_model_retain(download->value);
    worker->download_count++;
}

bool stress_context_is_ready(const struct stress_context *context, PJRT_Event *event)
{
    ABI_ARGS(Event_IsReady, args, .event = event);
    return CHECK_OK(context->t, ABI_CALL(context->t->api, Event_IsReady, &args)) && args.is_ready;
}

/* The event of a loan can only fail with exhausted memory, and then the data is no longer used,
 * too. */
static void end_loan(struct stress_context *context, const struct stress_loan *loan)
{
    stress_context_create_succeeded(context, abi_await(context->t->api, loan->done));
    stress_model_drop(loan->data);
}

static void end_download(struct stress_context *context, const struct stress_download *download)
{
    struct error *error = abi_await(context->t->api, download->done);
    struct stress_contents contents = stress_model_contents(download->value);
    if (contents.state == STRESS_ERROR) {
        CHECK_CODE(context->t, DATA_LOSS, error);
    } else if (stress_context_create_succeeded(context, error)) {
        size_t at =
            stress_model_compare(contents, download->data, download->first, download->count);
        CHECK(context->t, at == download->count,
              "element %zu of a copy to the host is %g, of an array of %lld + %lld * (i %% 64)",
              download->first + at, (double)download->data[at], (long long)contents.base,
              (long long)contents.step);
    }
    stress_model_release(download->value);
    stress_model_drop(download->data);
}

/* Whether the copy is complete, and the thread that fulfilled a promise has updated the model. */
static bool can_end(const struct stress_context *context, const struct stress_download *download)
{
    return stress_context_is_ready(context, download->done) &&
           stress_model_contents(download->value).state != STRESS_OPEN;
}

void stress_context_collect_completed(struct stress_worker *worker)
{
    struct stress_context *context = worker->context;
    int left = 0;
    for (int i = 0; i < worker->loan_count; i++)
        if (stress_context_is_ready(context, worker->loans[i].done))
            end_loan(context, &worker->loans[i]);
        else
            worker->loans[left++] = worker->loans[i];
    worker->loan_count = left, left = 0;
    for (int i = 0; i < worker->download_count; i++)
        if (can_end(context, &worker->downloads[i]))
            end_download(context, &worker->downloads[i]);
        else
            worker->downloads[left++] = worker->downloads[i];
    worker->download_count = left;
}

void stress_context_await_downloads(struct stress_worker *worker)
{
    while (worker->download_count)
        end_download(worker->context, &worker->downloads[--worker->download_count]);
}

void stress_context_await_loans(struct stress_worker *worker)
{
    while (worker->loan_count)
        end_loan(worker->context, &worker->loans[--worker->loan_count]);
}

/* ---- Invariants ------------------------------------------------------------------------------ */

static int64_t default_bytes(const struct stress_context *context, PJRT_Device *device)
{
    ABI_ARGS(Device_MemoryStats, args, .device = device);
    if (!CHECK_OK(context->t, ABI_CALL(context->t->api, Device_MemoryStats, &args)))
        return 0;
    CHECK(context->t, !args.bytes_limit_is_set || args.bytes_in_use <= args.bytes_limit,
          "%lld bytes in use of %lld", (long long)args.bytes_in_use, (long long)args.bytes_limit);
    return args.bytes_in_use;
}

/* For Gantry, the sum over all memories of the device of "in_use" in its report. */
static int64_t all_bytes(const struct stress_context *context, PJRT_Device *device)
{
    static const char name[] = "\"in_use\":";
    int64_t sum = 0;
    PJRT_Gantry_LiveBuffers_Args args = {.struct_size = PJRT_Gantry_LiveBuffers_Args_STRUCT_SIZE,
                                         .device = device};
    if (!CHECK_OK(context->t, abi_error(context->t->api, context->gantry->live_buffers(&args))))
        return 0;
    for (const char *at = args.json.text; (at = strstr(at, name)); at += sizeof name - 1)
        sum += strtoll(at + sizeof name - 1, NULL, 10);
    args.json.deleter(args.json.holder);
    return sum;
}

int64_t stress_context_bytes(const struct stress_context *context)
{
    int64_t sum = 0;
    for (size_t i = 0; i < context->memory_count; i++)
        if (context->is_default[i]) {
            int64_t bytes = default_bytes(context, context->devices[i]);
            sum += context->gantry ? all_bytes(context, context->devices[i]) : bytes;
        }
    return sum;
}

/* The memory range of a slot's buffer, or an empty range. */
static struct stress_range range_of(struct stress_context *context, struct stress_slot *slot)
{
    struct stress_range range = {.owner = slot->owner};
    ABI_ARGS(Buffer_UnsafePointer, args, .buffer = slot->buffer);
    if (!slot->buffer || atomic_load(&slot->deleted))
        args.buffer_pointer = (uintptr_t)(slot->buffer && slot->external ? slot->address : NULL);
    else
        /* error buffers have no address */
        error_free(ABI_CALL(context->t->api, Buffer_UnsafePointer, &args));
    range.start = range.end = args.buffer_pointer;
    if (range.start)
        range.end += stress_context_shapes[slot->shape].count * sizeof(float);
    return range;
}

void stress_context_check(struct stress_context *context)
{
    struct stress_range ranges[STRESS_SLOTS];
    int64_t bytes = 0, counted = stress_context_bytes(context);
    size_t count = 0;
    for (int i = 0; i < STRESS_SLOTS; i++) {
        struct stress_slot *slot = &context->slots[i];
        ranges[count] = range_of(context, slot);
        if (ranges[count].start == ranges[count].end)
            continue;
        bool shared = slot->borrowed || !(context->gantry || context->is_default[slot->memory]);
        for (size_t k = 0; k < count; k++)
            shared |= ranges[k].owner == ranges[count].owner;
        bytes += shared ? 0 : (int64_t)(ranges[count].end - ranges[count].start);
        count++;
    }
    size_t at = stress_model_overlap(ranges, count);
    CHECK(context->t, at == count, "the memories of two buffers overlap");
    CHECK(context->t, bytes <= counted, "buffers of %lld bytes, but %lld are in use",
          (long long)bytes, (long long)counted);
}
