/* Clients that queue executions without waiting: how many of their results are held, and where. */
#include <sys/resource.h>

#include "runtime/execute_fixture.h"

TestSuite(execute_ahead, .init = setup, .fini = teardown);

Test(execute_ahead, running_far_ahead_waits_for_memory)
{
    struct client *whole = client;
    struct device_options options = {.device_count = 1, .memory_limit = {1024}};
    cr_assert_null(client_create(&fake_library, &options, &client));
    memory = &client->devices[0]->memories[0];
    struct loaded_executable *loaded = load("slow", 1, 64, false, EXPENSIVE);
    struct buffer *buffer = floats(64, 0), *next;
    for (int i = 0; i < 12; i++) { /* four fit */
        struct error *error = run(loaded, 1, &buffer, &next);
        cr_assert_null(error, "step %d: %s", i, error_message(error, NULL));
        buffer_release(buffer);
        buffer = next;
    }
    cr_expect_eq(first(buffer), 12);
    buffer_release(buffer), loaded_executable_release(loaded), client_close(client);
    client = whole;
}

/* Runs a chain of `steps` slow programs with results of so many floats. Returns the most results
 * that were held at once. */
static uint64_t held_by_chain(int64_t count, int steps)
{
    const uint64_t bytes = (uint64_t)count * sizeof(float);
    struct loaded_executable *loaded = load("slow", 1, count, false, EXPENSIVE);
    struct buffer *buffer = large(count), *next;
    struct space_stats stats;
    for (int i = 0; i < steps; i++) {
        cr_assert_null(run(loaded, 1, &buffer, &next));
        buffer_release(buffer);
        buffer = next;
    }
    cr_expect_eq(first(buffer), steps);
    space_stats(memory->space, &stats);
    buffer_release(buffer), loaded_executable_release(loaded);
    return stats.peak / bytes;
}

/* The client is blocked before the results of queued jobs fill the memory. */
Test(execute_ahead, running_far_ahead_keeps_few_results)
{
    cr_expect_leq(held_by_chain(20 << 20, 8), 5);
}

/* ... or leave the processor's cache: at most 16 MiB are pending. */
Test(execute_ahead, running_far_ahead_keeps_results_in_the_cache)
{
    cr_expect_leq(held_by_chain(1 << 20, 20), 6);
}

/* A queued execution takes its result's memory when it starts: what earlier results had that the
 * client dropped meanwhile. */
Test(execute_ahead, results_that_are_dropped_while_queued_share_memory)
{
    const int64_t count = 1 << 18;
    struct loaded_executable *slow = load("slow", 1, count, false, EXPENSIVE),
                             *add = load("add", 1, count, false, EXPENSIVE);
    struct buffer *argument = large(count), *first_result, *result = NULL;
    const uint64_t before = hostmem_mapped();
    cr_assert_null(run(slow, 1, &argument, &first_result));
    for (int i = 0; i < 12; i++) {
        buffer_release(result);
        cr_assert_null(run(add, 1, &argument, &result));
    }
    cr_expect_eq(first(result), 1);
    cr_expect_leq(hostmem_mapped() - before, 3 * (uint64_t)count * sizeof(float));
    buffer_release(argument), buffer_release(first_result), buffer_release(result);
    loaded_executable_release(slow), loaded_executable_release(add);
}

Test(execute_ahead, the_address_of_a_pending_result_stays)
{
    struct loaded_executable *slow = load("slow", 1, 64, false, EXPENSIVE);
    struct buffer *argument = floats(64, 1), *result;
    void *early, *late;
    cr_assert_null(run(slow, 1, &argument, &result));
    cr_assert_null(buffer_address(result, &early));
    cr_assert_null(buffer_pointer(result, &late));
    cr_expect_not_null(early);
    cr_expect_eq(early, late);
    cr_expect_eq(first(result), 2);
    buffer_release(argument), buffer_release(result), loaded_executable_release(slow);
}

static long times_blocked(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

/* A blocked client is not woken for each execution that completes. */
Test(execute_ahead, a_client_that_is_blocked_continues_with_several_executions)
{
    struct loaded_executable *loaded = load("slow", 1, 64, false, EXPENSIVE);
    struct buffer *buffer = floats(64, 0), *next;
    const long before = times_blocked();
    for (int i = 0; i < 64; i++) { /* half of them are queued without waiting */
        cr_assert_null(run(loaded, 1, &buffer, &next));
        buffer_release(buffer);
        buffer = next;
    }
    cr_expect_leq(times_blocked() - before, 12);
    cr_expect_eq(first(buffer), 64);
    buffer_release(buffer), loaded_executable_release(loaded);
}
