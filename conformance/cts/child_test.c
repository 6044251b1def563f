/* child_test.c: the ways in which children end are distinguished. */
#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "conformance/cts/child.h"

static void succeed(const void *user, struct outcome *outcome)
{
    atomic_store(&outcome->failures, *(const int *)user);
}

static void crash(const void *user, struct outcome *outcome)
{
    (void)user;
    atomic_store(&outcome->call, "PJRT_Client_Devices");
    fprintf(stderr, "first\nF1123 Check failed: x == y\nlast\n");
    raise(SIGABRT);
}

static void leave(const void *user, struct outcome *outcome)
{
    (void)user, (void)outcome;
    exit(5);
}

static void hang(const void *user, struct outcome *outcome)
{
    (void)user;
    atomic_store(&outcome->seconds, 6);
    for (;;)
        pause();
}

static void spin(const void *user, struct outcome *outcome)
{
    (void)user;
    atomic_store(&outcome->seconds, 2);
    for (;;)
        atomic_fetch_add(&outcome->failures, 1);
}

static struct child_end end_of(struct child *child,
                               void (*run)(const void *user, struct outcome *outcome))
{
    static const int failures = 3;
    struct child_end end;
    struct child_task task = {run, &failures};
    cr_assert_null(child_run(child, &task, &end));
    return end;
}

Test(child, reports_what_it_found)
{
    struct child child = {0};
    cr_expect_eq(end_of(&child, succeed).how, CHILD_DONE);
    cr_expect_eq(atomic_load(&child.outcome->failures), 3);
    cr_expect_eq(child.pid, 0);
    child_close(&child);
}

Test(child, crashes)
{
    struct child child = {0};
    struct child_end end = end_of(&child, crash);
    cr_expect_eq(end.how, CHILD_CRASHED);
    cr_expect_eq(end.signal, SIGABRT);
    cr_expect_str_eq(end.output, "F1123 Check failed: x == y");
    cr_expect_str_eq(atomic_load(&child.outcome->call), "PJRT_Client_Devices");
    child_close(&child);
}

Test(child, exits)
{
    struct child child = {0};
    struct child_end end = end_of(&child, leave);
    cr_expect_eq(end.how, CHILD_CRASHED);
    cr_expect_eq(end.signal, 0);
    cr_expect_eq(end.status, 5);
    child_close(&child);
}

Test(child, has_a_time_limit)
{
    struct child child = {0};
    struct child_end end = end_of(&child, spin);
    cr_expect_eq(end.how, CHILD_TIMED_OUT);
    cr_expect(end.seconds >= 2 && end.seconds < 20, "%g s", end.seconds);
    cr_expect_eq(end_of(&child, succeed).how, CHILD_DONE, "the next task in the same place");
    child_close(&child);
}

/* Polls a task until it ends; returns whether it was seen waiting. */
static bool seen_waiting(void (*run)(const void *user, struct outcome *outcome),
                         struct child_end *end)
{
    struct child child = {0};
    bool waiting = false;
    cr_assert_null(child_start(&child, &(struct child_task){run, NULL}));
    for (; !child_poll(&child, end); child_wait())
        waiting = waiting || child_is_waiting(&child);
    child_close(&child);
    return waiting;
}

Test(child, ends_earlier_when_it_only_waits)
{
    struct child_end end;
    cr_expect(seen_waiting(hang, &end));
    cr_expect_eq(end.how, CHILD_TIMED_OUT);
    cr_expect(end.seconds >= 1 && end.seconds < 6, "%g s", end.seconds);
    cr_expect_not(seen_waiting(spin, &end));
}
