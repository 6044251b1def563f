/* fake_device.h: for tests: a device library whose devices use host memory and need no compiler,
 * and hand-built programs. A program's name selects what a launch does: "add" writes each
 * parameter plus one (f32) to the result of the same number; "slow" waits a while first; "fail"
 * fails; "transfer" sends each parameter on channel 1 and receives its result on channel 2; "spend"
 * is cheap if its loops end soon: it takes 100,000 times the first element of its first parameter
 * from the launch's budget before it adds one; "calls" calls
 * `fake_client_function`. The cost determines the thread on which a program runs. */
#ifndef GANTRY_RUNTIME_FAKE_DEVICE_H
#define GANTRY_RUNTIME_FAKE_DEVICE_H

#include <string.h>
#include <time.h>

#include "base/alloc.h"
#include "devices/host/client_call.h"
#include "devices/host/collectives/rendezvous.h"
#include "devices/host/copies/host_copy.h"
#include "memory/storage.h"
#include "runtime/executable.h"

static struct error *(*fake_client_function)(const struct launch *launch);

static struct error *fake_call(const struct launch *launch)
{
    static char label[] = "callback: f (model.py:1)";
    static const struct step step = {.kind = STEP_CUSTOM_CALL, .label = label};
    struct client_call call;
    atomic_store(&launch->progress->step, &step);
    client_call_begin(&call, launch, &step);
    struct error *error = fake_client_function(launch);
    client_call_end(&call);
    return error;
}

/* Until it is stopped. */
static struct error *fake_loop(const struct launch *launch)
{
    static char label[] = "while: g (model.py:2)";
    static const struct step step = {.kind = STEP_WHILE, .label = label};
    atomic_store(&launch->progress->step, &step);
    while (!atomic_load(&launch->limits->stop))
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    return ERROR(CANCELLED, "the fake device was stopped");
}

static struct error *fake_transfer(const struct launch *launch)
{
    const struct program *program = launch->program;
    for (int i = 0; i < program->result_count; i++) {
        uint64_t size = program->results[i].bytes;
        TRY(launch->host->send(launch->host, 1, launch->parameters[i], size));
        TRY(launch->host->receive(launch->host, 2, launch->results[i], size));
    }
    return NULL;
}

/* fake_gang.h */
static struct error *fake_sum(const struct launch *launch)
{
    const struct program *program = launch->program;
    void *const buffers[] = {launch->parameters[0], launch->results[0]};
    if (!strcmp(program->name, "sum_fails") && launch->participant == 1)
        return ERROR(INTERNAL, "the fake device fails on demand");
    if (!strcmp(program->name, "sum_loops") && launch->participant == 1)
        return fake_loop(launch);
    if (!strcmp(program->name, "sum_calls"))
        TRY(fake_call(launch));
    if (!strcmp(program->name, "sum_slow"))
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    return communicator_collective(launch->communicator, launch->participant,
                                   &program->steps.steps[0], buffers);
}

static struct error *fake_spend(const struct launch *launch)
{
    float cost = *(const float *)launch->parameters[0];
    if (cost < 0)
        return ERROR(INTERNAL, "the fake device fails on demand");
    launch->limits->budget -= (int64_t)(cost * 100000);
    if (launch->limits->budget >= 0)
        return NULL;
    memset(launch->results[0], 0x5A, launch->program->results[0].bytes);
    return ERROR(CANCELLED, "the fake device has no budget left");
}

static struct error *fake_launch(struct device *device, const struct launch *launch)
{
    const struct program *program = launch->program;
    (void)device;
    if (!strcmp(program->name, "slow"))
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    if (!strcmp(program->name, "fail"))
        return ERROR(INTERNAL, "the fake device fails on demand");
    if (!strcmp(program->name, "spend"))
        TRY(fake_spend(launch));
    if (!strcmp(program->name, "calls"))
        TRY(fake_call(launch));
    if (!strncmp(program->name, "sum", 3))
        return fake_sum(launch);
    if (!strcmp(program->name, "transfer"))
        return fake_transfer(launch);
    for (int i = 0; i < program->result_count; i++) {
        const float *from = launch->parameters[i];
        float *to = launch->results[i];
        for (uint64_t k = 0; k < program->results[i].bytes / sizeof *to; k++)
            to[k] = from[k] + 1;
    }
    return NULL;
}

static void fake_destroy(struct device *device)
{
    for (int i = 0; i < device->space_count; i++)
        space_release(device->spaces[i]);
    alloc_free(device);
}

static struct error *fake_copy(struct device *device, const struct device_copy *copy)
{
    (void)device;
    return host_copy(copy, NULL);
}

static void *fake_address(struct device *device, const struct storage *storage)
{
    (void)device;
    return storage->address;
}

static struct error *fake_connect(struct device *device, const struct communicator_setup *setup,
                                  struct communicator **out)
{
    (void)device;
    return rendezvous_create(setup, out);
}

static struct error *fake_create_one(int id, uint64_t limit, struct device **out)
{
    static const struct device_ops ops = {.destroy = fake_destroy,
                                          .launch = fake_launch,
                                          .copy = fake_copy,
                                          .connect = fake_connect,
                                          .address = fake_address};
    static const int64_t coords[] = {1, 2, 3};
    static const struct attribute attributes[] = {
        {.name = "coords", .kind = ATTRIBUTE_INTS, .integers = coords, .count = 3},
        {.name = "flavor", .kind = ATTRIBUTE_STRING, .string = "none"}};
    TRY(alloc_zeroed(sizeof **out, out));
    **out = (struct device){.ops = &ops,
                            .id = id,
                            .local_ordinal = id,
                            .placement = {.node = -1},
                            .kind = "fake",
                            .text = "Fake",
                            .debug_text = "FAKE",
                            .target = {.name = "fake",
                                       .cores = 1,
                                       .isa.vector_bytes = 16,
                                       .memory_bytes = {limit},
                                       .alignment = 64,
                                       .memory_kinds = MEMORY_KINDS_ALL},
                            .immediate_copy_bytes = HOST_COPY_IMMEDIATE_BYTES,
                            .shares_host_memory = !limit,
                            .attribute_count = 2,
                            .attributes = attributes};
    struct error *error = NULL;
    for (int kind = 0; kind < 3 && !error; kind++) {
        struct space_options options = {.kind = (enum memory_kind)kind,
                                        .capacity = kind ? 0 : limit,
                                        .place = {.node = -1},
                                        .name = "fake"};
        error = space_create(&options, &(*out)->spaces[kind]);
        (*out)->space_count += !error;
    }
    if (error)
        fake_destroy(*out);
    return error;
}

static struct error *fake_create(const struct device_options *options, int *count,
                                 struct device ***devices)
{
    int wanted = options->device_count ? options->device_count : 2;
    struct error *error = alloc_array((size_t)wanted, sizeof **devices, devices);
    for (*count = 0; *count < wanted && !error; *count += !error)
        error = fake_create_one(*count, options->memory_limit[MEMORY_DEVICE], &(*devices)[*count]);
    while (error && *count)
        fake_destroy((*devices)[--*count]);
    if (error) {
        alloc_free(*devices);
        *devices = NULL;
    }
    return error;
}

static const struct device_library fake_library = {
    .name = "fake", .platform_name = "fake", .create = fake_create};

/* `count` parameters and results of f32[size]; `alias`: result i may reuse the memory of parameter
 * i. */
static inline struct error *fake_program(const char *name, int count, int64_t size, bool alias,
                                         int64_t cost, struct program **out)
{
    TRY(alloc_zeroed(sizeof **out, out));
    struct program *program = *out;
    refs_init(&program->refs);
    TRY(alloc_copy(name, strlen(name), &program->name));
    program->num_replicas = program->num_partitions = 1;
    program->cost = cost;
    program->expected_cost = strcmp(name, "spend") ? cost : 1;
    program->parameter_count = program->result_count = count;
    TRY(alloc_array((size_t)count, sizeof *program->parameters, &program->parameters));
    TRY(alloc_array((size_t)count, sizeof *program->results, &program->results));
    for (int i = 0; i < 2 * count; i++) {
        struct program_value *value =
            i < count ? &program->parameters[i] : &program->results[i - count];
        *value = (struct program_value){.bytes = (uint64_t)size * 4,
                                        .alias = alias ? i % count : -1,
                                        .donated = alias && i < count};
        struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &size};
        TRY(shape_clone(&shape, &value->shape, &value->shape_memory));
    }
    static const struct program_channel channels[] = {{1, false}, {2, true}};
    program->channel_count = strcmp(name, "transfer") ? 0 : 2;
    return alloc_copy(channels, sizeof channels, &program->channels);
}

static inline struct error *fake_load(struct client *client, const char *name, int count,
                                      int64_t size, bool alias, int64_t cost,
                                      struct loaded_executable **out)
{
    struct program *program;
    struct executable *executable;
    TRY(fake_program(name, count, size, alias, cost, &program));
    TRY(executable_create(program, &client->devices[0]->device->target, NULL, 0, &executable));
    struct error *error = loaded_executable_create(client, executable, out);
    executable_release(executable);
    return error;
}

/* Fills the cache of tensor memory; returns the number of allocations that stay live without a
 * client. */
static inline int64_t fake_warm_up(void)
{
    struct client *client;
    struct storage *storage;
    if (client_create(&fake_library, NULL, &client))
        return 0;
    for (uint64_t size = 64; size <= 256 << 10; size <<= 6)
        if (!space_alloc(client->devices[0]->memories[0].space, size, &storage))
            storage_release(storage);
    client_release(client);
    space_trim();
    return alloc_live();
}

#endif
