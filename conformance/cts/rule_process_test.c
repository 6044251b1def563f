/* rule_process_test.c: leaks are found, and threads run. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/cts/rule_process.h"

static bool leak_file(struct rule_context *t)
{
    (void)t;
    return dup(0) >= 0;
}

static bool leak_memory(struct rule_context *t)
{
    (void)t;
    volatile char *memory = malloc(1 << 16);
    for (int i = 0; memory && i < 1 << 16; i += 1024)
        memory[i] = 1;
    return memory;
}

static void *sleep_on(void *user)
{
    pause();
    return user;
}

static bool leak_thread(struct rule_context *t)
{
    pthread_t thread;
    (void)t;
    return !pthread_create(&thread, NULL, sleep_on, NULL);
}

static bool do_nothing(struct rule_context *t)
{
    return t;
}

static int leaks_of(bool (*cycle)(struct rule_context *t), int cycles)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    rule_repeat(&t, cycles, cycle);
    cr_expect_eq(outcome.failures, outcome.leaks, "%s", outcome.text);
    return outcome.leaks;
}

Test(rule_process, leaks)
{
    cr_expect_eq(leaks_of(do_nothing, 100000), 0);
    cr_expect_eq(leaks_of(leak_file, 20), 1);
    cr_expect_eq(leaks_of(leak_thread, 5), 1);
}

Test(rule_process, leaks_of_memory)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    cr_skip_test("sanitizers keep freed memory, so it is not measured");
#endif
    cr_expect_eq(leaks_of(leak_memory, 100), 1);
}

static void count(struct rule_context *t, int i)
{
    CHECK(t, i < 0, "thread %d", i);
}

Test(rule_process, threads)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    rule_threads(&t, count);
    cr_expect_eq(outcome.failures, RULE_THREADS);
    cr_expect_not_null(strstr(outcome.text, "thread 7\n"));
}

/* A stack of 2^46 bytes is more than an address space has. */
Test(rule_process, threads_that_do_not_start, .timeout = 30)
{
    struct outcome outcome = {0};
    struct rule_context t = {.outcome = &outcome};
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    cr_assert_eq(pthread_attr_setstacksize(&attributes, (size_t)1 << 46), 0);
    cr_assert_eq(pthread_setattr_default_np(&attributes), 0);
    rule_threads(&t, count);
    cr_expect_eq(outcome.failures, 1);
    cr_expect_not_null(strstr(outcome.text, "thread 0 could not be started"));
}
