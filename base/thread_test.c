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

static void note_thread(void *self)
{
    *(pthread_t *)self = pthread_self();
}

Test(thread, run_returns_when_another_thread_has_run)
{
    pthread_t ran_on = pthread_self();
    cr_assert(thread_run("run", note_thread, &ran_on));
    cr_assert_not(pthread_equal(ran_on, pthread_self()));
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

/* ---- functions of the waiting thread --------------------------------------------------------- */
struct visit {
    pthread_t ran_on;
    int count;
    struct error *error; /* of the second request */
};

static void visit(void *context)
{
    struct visit *v = context;
    v->ran_on = pthread_self();
    v->count++;
}

static struct error *ask_twice(void *context)
{
    struct visit *v = context;
    TRY(thread_run_on_caller(visit, v));
    cr_expect(!pthread_equal(v->ran_on, pthread_self()), "not here");
    return thread_run_on_caller(visit, v);
}

Test(thread, functions_run_on_the_thread_that_waits)
{
    struct visit v = {.count = 0};
    bool abandoned = true;
    const struct thread_call call = {.run = ask_twice, .context = &v};
    cr_assert_null(thread_run_and_wait("ask", &call, &abandoned));
    cr_expect_not(abandoned);
    cr_expect_eq(v.count, 2);
    cr_expect(pthread_equal(v.ran_on, pthread_self()));
}

Test(thread, functions_run_at_once_where_no_thread_waits)
{
    struct visit v = {.count = 0};
    cr_assert_null(thread_run_on_caller(visit, &v));
    cr_expect_eq(v.count, 1);
    cr_expect(pthread_equal(v.ran_on, pthread_self()));
}
