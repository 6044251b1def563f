/* fake_gang.h: for tests: programs for several fake devices that meet in an all_reduce of f32. A
 * fake device launches any program whose name begins with "sum" so: each result is the sum of the
 * devices' parameters. "sum_fails" fails on device 1, "sum_slow" waits a while before it meets,
 * "sum_loops" loops on device 1 for ever, and "sum_calls" calls `fake_client_function` before it
 * meets. */
#ifndef GANTRY_RUNTIME_FAKE_GANG_H
#define GANTRY_RUNTIME_FAKE_GANG_H

#include "runtime/buffer_to_host.h"
#include "runtime/execute.h"
#include "runtime/fake_device.h"

enum { FAKE_GANG_ELEMENTS = 20 };

static inline struct error *fake_gang_groups(struct program *program, int devices)
{
    int offsets[] = {0, devices}, *members;
    TRY(alloc_array((size_t)devices, sizeof *members, &members));
    for (int i = 0; i < devices; i++)
        members[i] = i;
    TRY(alloc_zeroed(sizeof *program->groups, &program->groups));
    program->group_count = 1;
    struct program_groups *groups = program->groups;
    groups->group_count = 1, groups->member_count = devices, groups->members = members;
    TRY(alloc_copy(offsets, sizeof offsets, &groups->offsets));
    return alloc_copy(members, (size_t)devices * sizeof *members, &groups->sources);
}

static inline struct error *fake_gang_step(struct program *program, int number)
{
    static const int64_t dims = FAKE_GANG_ELEMENTS;
    struct collective_array array = {
        .dtype = DTYPE_F32, .rank = 1, .outer = 1, .middle = 1, .inner = FAKE_GANG_ELEMENTS};
    struct step step = {.kind = STEP_COLLECTIVE, .plan = -1};
    step.collective.kind = COLLECTIVE_ALL_REDUCE;
    step.collective.array_count = 1;
    step.collective.dimension = number; /* an all_reduce has none */
    static const struct slice slices[] = {{0, 0, 4 * FAKE_GANG_ELEMENTS},
                                          {1, 0, 4 * FAKE_GANG_ELEMENTS}};
    static const struct allocation allocations[] = {
        {ALLOCATION_PARAMETER, 0, 4 * FAKE_GANG_ELEMENTS, MEMORY_DEVICE},
        {ALLOCATION_RESULT, 0, 4 * FAKE_GANG_ELEMENTS, MEMORY_DEVICE}};
    step.operand_count = 1, step.slice_count = 2;
    TRY(alloc_copy(slices, sizeof slices, &step.slices));
    TRY(alloc_copy(allocations, sizeof allocations, &program->allocations));
    program->allocation_count = 2;
    TRY(alloc_copy(&dims, sizeof dims, &array.dims));
    TRY(alloc_copy(&array, sizeof array, &step.collective.arrays));
    TRY(alloc_copy("all_reduce", sizeof "all_reduce" - 1, &step.label));
    TRY(alloc_copy(&step, sizeof step, &program->steps.steps));
    program->steps.count = program->collective_count = 1;
    return NULL;
}

/* `number` tells collectives apart: equal ones meet. Not leak-free when memory is exhausted. */
static inline struct error *fake_gang_load(struct client *client, const char *name, int devices,
                                           int number, struct loaded_executable **out)
{
    struct program *program;
    struct executable *executable;
    TRY(fake_program(name, 1, FAKE_GANG_ELEMENTS, false, 1, &program));
    program->num_replicas = devices;
    if (!strcmp(name, "sum_loops"))
        program->cost = PROGRAM_UNBOUNDED;
    TRY(fake_gang_groups(program, devices));
    TRY(fake_gang_step(program, number));
    TRY(executable_create(program, &client->devices[0]->device->target, NULL, 0, &executable));
    struct error *error = loaded_executable_create(client, executable, out);
    executable_release(executable);
    return error;
}

static inline struct error *fake_gang_argument(struct client *client, int device, float value,
                                               struct buffer **out)
{
    float data[FAKE_GANG_ELEMENTS];
    int64_t dims = FAKE_GANG_ELEMENTS;
    struct event *done;
    struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &dims};
    for (int i = 0; i < FAKE_GANG_ELEMENTS; i++)
        data[i] = value + (float)i;
    TRY(buffer_from_host(&client->devices[device]->memories[0], &shape,
                         &(struct host_array){.data = data, .shape = shape}, 0, &done, out));
    struct error *error = event_await(done);
    event_release(done);
    return error;
}

/* Executes on one device; *out is a buffer, owned. */
static inline struct error *fake_gang_execute_as(struct loaded_executable *loaded, int device,
                                                 int64_t launch_id, float value,
                                                 struct buffer **out)
{
    struct buffer *argument, *const *lists[] = {&argument}, **const outputs[] = {out};
    *out = NULL;
    TRY(fake_gang_argument(loaded->client, device, value, &argument));
    struct error *error =
        execute(&(struct execute_request){.executable = loaded,
                                          .device = loaded->client->devices[device],
                                          .launch_id = launch_id,
                                          .device_count = 1,
                                          .argument_count = 1,
                                          .arguments = lists,
                                          .results = outputs});
    buffer_release(argument);
    return error;
}

static inline struct error *fake_gang_execute(struct loaded_executable *loaded, int device,
                                              float value, struct buffer **out)
{
    return fake_gang_execute_as(loaded, device, 0, value, out);
}

/* Waits for a result and releases it (moved); the error of the execution, or INTERNAL if element i
 * is not base + devices * i. */
static inline struct error *fake_gang_check(struct buffer *result, int devices, float base)
{
    float data[FAKE_GANG_ELEMENTS] = {0};
    struct event *done = NULL;
    struct error *error = buffer_to_host(result, NULL, data, sizeof data, &done);
    if (!error)
        error = event_await(done);
    event_release(done);
    for (int i = 0; i < FAKE_GANG_ELEMENTS && !error; i++)
        if (data[i] != base + (float)(devices * i))
            error = ERROR(INTERNAL, "element %d is %g", i, (double)data[i]);
    buffer_release(result);
    return error;
}

#endif
