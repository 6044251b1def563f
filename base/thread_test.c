#include "base/thread.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static atomic_int done;
static sigset_t blocked;

static void read_mask(void *argument)
{
    (void)argument;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    atomic_store(&done, 1);
}

Test(thread, receives_only_the_signals_of_its_own_faults)
{
    static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    static const int others[] = {SIGINT, SIGTERM, SIGALRM, SIGCHLD, SIGUSR1, SIGPIPE};
    sigset_t before, after;
    pthread_sigmask(SIG_BLOCK, NULL, &before);
    cr_assert(thread_start("mask", read_mask, NULL));
    while (!atomic_load(&done))
        continue;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        cr_expect_not(sigismember(&blocked, faults[i]), "signal %d", faults[i]);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_expect(sigismember(&blocked, others[i]), "signal %d", others[i]);
    pthread_sigmask(SIG_BLOCK, NULL, &after);
    for (int signal = 1; signal < 32; signal++)
        cr_expect_eq(sigismember(&before, signal), sigismember(&after, signal), "%d", signal);
}

enum { COUNT = 1000 };
static atomic_int seen[COUNT];

static void note(void *context, int i)
{
    atomic_fetch_add(&((atomic_int *)context)[i], 1);
}

Test(thread, parallel_runs_every_number_once)
{
    for (int threads = 0; threads <= 5; threads++)
        thread_parallel("note", COUNT, threads, note, seen);
    for (int i = 0; i < COUNT; i++)
        cr_assert_eq(atomic_load(&seen[i]), 6, "%d", i);
    thread_parallel("note", 0, 4, note, NULL);
}
