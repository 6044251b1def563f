/* execute_fixture.h: a client of fake devices for tests of executions, its programs and arrays. */
#ifndef GANTRY_RUNTIME_EXECUTE_FIXTURE_H
#define GANTRY_RUNTIME_EXECUTE_FIXTURE_H

#include <criterion/criterion.h>
#include <string.h>

#include "base/error_fixture.h"
#include "runtime/execute.h"
#include "runtime/fake_device.h"

enum { CHEAP = 10, EXPENSIVE = 1 << 30 };

static struct client *client;
static struct client_memory *memory;
static int64_t baseline;

static inline void setup(void)
{
    baseline = fake_warm_up();
    cr_assert_null(client_create(&fake_library, NULL, &client));
    memory = &client->devices[0]->memories[0];
}

static inline void teardown(void)
{
    client_close(client);
    space_trim();
    for (int i = 0; i < 60000 && alloc_live() > baseline;
         i++) /* the queue's thread may be exiting */
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    cr_expect_eq(alloc_live(), baseline, "%lld allocations left",
                 (long long)(alloc_live() - baseline));
}

static inline struct loaded_executable *load(const char *name, int count, int64_t size, bool alias,
                                             int64_t cost)
{
    struct loaded_executable *loaded;
    cr_assert_null(fake_load(client, name, count, size, alias, cost, &loaded));
    return loaded;
}

static inline struct buffer *floats(int64_t count, float value)
{
    float data[64];
    struct event *done;
    struct buffer *buffer;
    for (int i = 0; i < count; i++)
        data[i] = value;
    struct shape shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &count};
    cr_assert_null(buffer_from_host(
        memory, &shape, &(struct host_array){.data = data, .shape = shape}, 0, &done, &buffer));
    return buffer;
}

/* The array, of zeros. */
static inline struct buffer *large(int64_t count)
{
    struct host_array host = {.shape = {.dtype = DTYPE_F32, .rank = 1, .dims = &count}};
    struct buffer *buffer;
    struct event *done;
    cr_assert_null(alloc_zeroed((size_t)count * sizeof(float), &host.data));
    cr_assert_null(buffer_from_host(memory, &host.shape, &host, 0, &done, &buffer));
    event_release(done);
    alloc_free((void *)(uintptr_t)host.data);
    return buffer;
}

static inline float first(struct buffer *buffer)
{
    void *address = NULL;
    struct error *error = buffer_pointer(buffer, &address);
    cr_assert_null(error, "%s", error_message(error, NULL));
    return *(float *)address;
}

static inline struct error *run(struct loaded_executable *loaded, int count,
                                struct buffer **arguments, struct buffer **results)
{
    struct buffer *const *lists[] = {arguments};
    struct buffer **const outputs[] = {results};
    struct event *completed = NULL;
    struct execute_request request = {.executable = loaded,
                                      .device_count = 1,
                                      .argument_count = count,
                                      .arguments = lists,
                                      .results = outputs,
                                      .completed = &completed};
    TRY(execute(&request));
    event_release(completed);
    return NULL;
}

#endif
