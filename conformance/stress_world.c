/* stress_world.c: see stress_world.h. */
#include "conformance/stress_world.h"

#include <stdlib.h>
#include <string.h>

const struct stress_shape stress_world_shapes[STRESS_SHAPES] = {
    {1, 256, {256}},
    {1, 4, {4}},
    {1, 1024, {1024}},
    {2, 1024, {32, 32}},
    /* large enough to be copied on other threads */
    {2, 1 << 17, {128, 1024}},
    {1, 5 << 19, {5 << 19}},
};

/* ---- Opening --------------------------------------------------------------------------------- */

static struct error *add_memories(struct stress_world *world, PJRT_Device *device)
{
    const PJRT_Api *api = world->t->api;
    ABI_ARGS(Device_DefaultMemory, home, .device = device);
    ABI_ARGS(Device_AddressableMemories, all, .device = device);
    TRY(ABI_CALL(api, Device_DefaultMemory, &home));
    TRY(ABI_CALL(api, Device_AddressableMemories, &all));
    for (size_t i = 0; i < all.num_memories && world->memory_count < STRESS_MEMORIES; i++) {
        world->devices[world->memory_count] = device;
        world->is_default[world->memory_count] = all.memories[i] == home.memory;
        world->memories[world->memory_count++] = all.memories[i];
    }
    return NULL;
}

static struct error *find_memories(struct stress_world *world)
{
    const PJRT_Api *api = world->t->api;
    ABI_ARGS(Client_AddressableDevices, devices, .client = world->client);
    TRY(ABI_CALL(api, Client_AddressableDevices, &devices));
    for (size_t i = 0; i < devices.num_addressable_devices; i++)
        TRY(add_memories(world, devices.addressable_devices[i]));
    if (!world->memory_count || !world->is_default[0])
        return ERROR(NOT_FOUND, "the first memory of the first device is not its default");
    return NULL;
}

/* Two devices if supported. */
static struct error *open_client(struct stress_world *world, int64_t limit)
{
    const char *name = limit ? "memory_limit" : "device_count";
    PJRT_NamedValue option = {.struct_size = PJRT_NamedValue_STRUCT_SIZE,
                              .name = name,
                              .name_size = strlen(name),
                              .type = PJRT_NamedValue_kInt64,
                              .int64_value = limit ? limit : 2,
                              .value_size = 1};
    struct error *error = abi_client_create(world->t->api, &option, 1, &world->client);
    if (!error || limit)
        return error;
    error_free(error);
    return abi_client_create(world->t->api, NULL, 0, &world->client);
}

/* Compiles the program and finds out whether the device computes. */
static struct error *open_program(struct stress_world *world)
{
    struct test_context own = *world->t;
    own.client = world->client;
    own.device = world->devices[0];
    PJRT_Buffer *arguments[5] = {0}, *result = NULL;
    float back[256];
    TRY(test_context_compile(&own, PROGRAM_donate, &world->executable));
    TRY(test_context_arguments(&own, PROGRAM_donate, arguments));
    ABI_ARGS(Buffer_IsOnCpu, on_cpu, .buffer = arguments[0]);
    struct error *error = ABI_CALL(own.api, Buffer_IsOnCpu, &on_cpu);
    if (!error)
        error = abi_execute(own.api, world->executable, arguments, 2, &result, 1);
    if (!error)
        error = abi_download(own.api, result, back, sizeof back);
    world->on_host = on_cpu.is_on_cpu;
    for (size_t i = 0; i < 256 && !error; i++)
        world->computes |= back[i] != 0;
    abi_buffer_destroy(own.api, arguments[0]);
    abi_buffer_destroy(own.api, arguments[1]);
    abi_buffer_destroy(own.api, result);
    return error;
}

bool stress_world_open(struct stress_world *world, struct test_context *t, int64_t limit)
{
    memset(world, 0, sizeof *world);
    world->t = t;
    world->limited = limit != 0;
    error_free(abi_gantry(t->api, &world->gantry));
    pthread_rwlock_init(&world->running, NULL);
    for (int i = 0; i < STRESS_SLOTS; i++)
        pthread_rwlock_init(&world->slots[i].lock, NULL);
    return test_context_supported(t, __FILE__, __LINE__, open_client(world, limit)) &&
           CHECK_OK(t, find_memories(world)) && CHECK_OK(t, open_program(world));
}

void stress_world_close(struct stress_world *world)
{
    if (world->executable)
        abi_executable_destroy(world->t->api, world->executable);
    if (world->client)
        abi_client_destroy(world->t->api, world->client);
    for (int i = 0; i < STRESS_SLOTS; i++)
        pthread_rwlock_destroy(&world->slots[i].lock);
    pthread_rwlock_destroy(&world->running);
}

/* ---- Slots ----------------------------------------------------------------------------------- */

enum { TRIES = 12 };

static struct stress_slot *random_slot(struct stress_worker *worker)
{
    return &worker->world->slots[stress_model_below(&worker->random, STRESS_SLOTS)];
}

struct stress_slot *stress_world_empty(struct stress_worker *worker)
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

struct stress_slot *stress_world_used(struct stress_worker *worker, int shape)
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

struct stress_slot *stress_world_taken(struct stress_worker *worker)
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

void stress_world_unlock(struct stress_slot *slot)
{
    if (slot)
        pthread_rwlock_unlock(&slot->lock);
}

void stress_world_put(struct stress_world *world, struct stress_slot *slot, PJRT_Buffer *buffer,
                      struct stress_value *value, int shape, int memory)
{
    slot->buffer = buffer;
    slot->value = value;
    slot->shape = shape;
    slot->memory = memory;
    slot->owner = atomic_fetch_add(&world->owners, 1) + 1;
    slot->borrowed = false;
    slot->promise = NULL;
    slot->external = 0;
    slot->address = NULL;
    atomic_store(&slot->deleting, false);
    atomic_store(&slot->deleted, false);
}

void stress_world_clear(struct stress_world *world, struct stress_slot *slot)
{
    ABI_ARGS(Buffer_DecreaseExternalReferenceCount, less, .buffer = slot->buffer);
    for (; slot->external; slot->external--)
        CHECK_OK(world->t, ABI_CALL(world->t->api, Buffer_DecreaseExternalReferenceCount, &less));
    abi_buffer_destroy(world->t->api, slot->buffer);
    stress_model_release(slot->value);
    slot->buffer = NULL;
}

/* ---- Errors ---------------------------------------------------------------------------------- */

bool stress_world_made(struct stress_world *world, struct error *error)
{
    if (!error || !world->limited || error_code(error) != PJRT_Error_Code_RESOURCE_EXHAUSTED)
        return CHECK_OK(world->t, error);
    error_free(error);
    return false;
}

bool stress_world_used_well(struct stress_world *world, const struct stress_slot *slot,
                            bool was_deleted, struct error *error)
{
    if (!error)
        CHECK(world->t, !was_deleted, "a deleted buffer of shape %d is used without an error",
              slot->shape);
    if (!error || error_code(error) != PJRT_Error_Code_FAILED_PRECONDITION ||
        !atomic_load(&slot->deleting))
        return stress_world_made(world, error);
    error_free(error);
    return false;
}

/* ---- Pending work ---------------------------------------------------------------------------- */

bool stress_world_can_lend(struct stress_worker *worker)
{
    if (worker->loan_count == STRESS_PENDING)
        stress_world_settle(worker);
    return worker->loan_count < STRESS_PENDING;
}

void stress_world_lend(struct stress_worker *worker, float *data, PJRT_Event *done)
{
    worker->loans[worker->loan_count++] = (struct stress_loan){data, done};
}

bool stress_world_can_download(struct stress_worker *worker)
{
    if (worker->download_count == STRESS_PENDING)
        stress_world_settle(worker);
    return worker->download_count < STRESS_PENDING;
}

void stress_world_download(struct stress_worker *worker, const struct stress_download *download)
{
    worker->downloads[worker->download_count] = *download;
    stress_model_retain(download->value);
    worker->download_count++;
}

bool stress_world_is_ready(const struct stress_world *world, PJRT_Event *event)
{
    ABI_ARGS(Event_IsReady, args, .event = event);
    return CHECK_OK(world->t, ABI_CALL(world->t->api, Event_IsReady, &args)) && args.is_ready;
}

/* The event of a loan can only fail with exhausted memory, and then the data is no longer used,
 * too. */
static void end_loan(struct stress_world *world, const struct stress_loan *loan)
{
    stress_world_made(world, abi_await(world->t->api, loan->done));
    stress_model_drop(loan->data);
}

static void end_download(struct stress_world *world, const struct stress_download *download)
{
    struct error *error = abi_await(world->t->api, download->done);
    struct stress_contents contents = stress_model_contents(download->value);
    if (contents.state == STRESS_ERROR) {
        CHECK_CODE(world->t, DATA_LOSS, error);
    } else if (stress_world_made(world, error)) {
        size_t at =
            stress_model_compare(contents, download->data, download->first, download->count);
        CHECK(world->t, at == download->count,
              "element %zu of a copy to the host is %g, of an array of %lld + %lld * (i %% 64)",
              download->first + at, (double)download->data[at], (long long)contents.base,
              (long long)contents.step);
    }
    stress_model_release(download->value);
    stress_model_drop(download->data);
}

/* Whether the copy is complete, and the thread that fulfilled a promise has updated the model. */
static bool can_end(const struct stress_world *world, const struct stress_download *download)
{
    return stress_world_is_ready(world, download->done) &&
           stress_model_contents(download->value).state != STRESS_OPEN;
}

void stress_world_settle(struct stress_worker *worker)
{
    struct stress_world *world = worker->world;
    int left = 0;
    for (int i = 0; i < worker->loan_count; i++)
        if (stress_world_is_ready(world, worker->loans[i].done))
            end_loan(world, &worker->loans[i]);
        else
            worker->loans[left++] = worker->loans[i];
    worker->loan_count = left, left = 0;
    for (int i = 0; i < worker->download_count; i++)
        if (can_end(world, &worker->downloads[i]))
            end_download(world, &worker->downloads[i]);
        else
            worker->downloads[left++] = worker->downloads[i];
    worker->download_count = left;
}

void stress_world_await_downloads(struct stress_worker *worker)
{
    while (worker->download_count)
        end_download(worker->world, &worker->downloads[--worker->download_count]);
}

void stress_world_await_loans(struct stress_worker *worker)
{
    while (worker->loan_count)
        end_loan(worker->world, &worker->loans[--worker->loan_count]);
}

/* ---- Invariants ------------------------------------------------------------------------------ */

static int64_t default_bytes(const struct stress_world *world, PJRT_Device *device)
{
    ABI_ARGS(Device_MemoryStats, args, .device = device);
    if (!CHECK_OK(world->t, ABI_CALL(world->t->api, Device_MemoryStats, &args)))
        return 0;
    CHECK(world->t, !args.bytes_limit_is_set || args.bytes_in_use <= args.bytes_limit,
          "%lld bytes in use of %lld", (long long)args.bytes_in_use, (long long)args.bytes_limit);
    return args.bytes_in_use;
}

/* For Gantry, the sum over all memories of the device of "in_use" in its report. */
static int64_t all_bytes(const struct stress_world *world, PJRT_Device *device)
{
    static const char name[] = "\"in_use\":";
    int64_t sum = 0;
    PJRT_Gantry_LiveBuffers_Args args = {.struct_size = PJRT_Gantry_LiveBuffers_Args_STRUCT_SIZE,
                                         .device = device};
    if (!CHECK_OK(world->t, abi_error(world->t->api, world->gantry->live_buffers(&args))))
        return 0;
    for (const char *at = args.json.text; (at = strstr(at, name)); at += sizeof name - 1)
        sum += strtoll(at + sizeof name - 1, NULL, 10);
    args.json.deleter(args.json.holder);
    return sum;
}

int64_t stress_world_bytes(const struct stress_world *world)
{
    int64_t sum = 0;
    for (size_t i = 0; i < world->memory_count; i++)
        if (world->is_default[i]) {
            int64_t bytes = default_bytes(world, world->devices[i]);
            sum += world->gantry ? all_bytes(world, world->devices[i]) : bytes;
        }
    return sum;
}

/* The memory range of a slot's buffer, or an empty range. */
static struct stress_range range_of(struct stress_world *world, struct stress_slot *slot)
{
    struct stress_range range = {.owner = slot->owner};
    ABI_ARGS(Buffer_UnsafePointer, args, .buffer = slot->buffer);
    if (!slot->buffer || atomic_load(&slot->deleted))
        args.buffer_pointer = (uintptr_t)(slot->buffer && slot->external ? slot->address : NULL);
    else
        /* error buffers have no address */
        error_free(ABI_CALL(world->t->api, Buffer_UnsafePointer, &args));
    range.start = range.end = args.buffer_pointer;
    if (range.start)
        range.end += stress_world_shapes[slot->shape].count * sizeof(float);
    return range;
}

void stress_world_check(struct stress_world *world)
{
    struct stress_range ranges[STRESS_SLOTS];
    int64_t bytes = 0, counted = stress_world_bytes(world);
    size_t count = 0;
    for (int i = 0; i < STRESS_SLOTS; i++) {
        struct stress_slot *slot = &world->slots[i];
        ranges[count] = range_of(world, slot);
        if (ranges[count].start == ranges[count].end)
            continue;
        bool shared = slot->borrowed || !(world->gantry || world->is_default[slot->memory]);
        for (size_t k = 0; k < count; k++)
            shared |= ranges[k].owner == ranges[count].owner;
        bytes += shared ? 0 : (int64_t)(ranges[count].end - ranges[count].start);
        count++;
    }
    size_t at = stress_model_overlap(ranges, count);
    CHECK(world->t, at == count, "the memories of two buffers overlap");
    CHECK(world->t, bytes <= counted, "buffers of %lld bytes, but %lld are in use",
          (long long)bytes, (long long)counted);
}
