#include "hostoffload/transfer/copy_queue.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

struct sum {
    struct copy_job job;
    int value;
    atomic_int runs;
};

static void run(struct copy_job *job)
{
    struct sum *sum = (struct sum *)job;
    sum->value *= 2;
    atomic_fetch_add(&sum->runs, 1);
}

static void start(struct sum *sum, int value)
{
    *sum = (struct sum){.job.run = run, .value = value};
    copy_queue_start(&sum->job);
}

static void *many(void *unused)
{
    struct sum sums[64];
    (void)unused;
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < 64; i++)
            start(&sums[i], round + i);
        for (int i = 63; i >= 0; i--) { /* not in the order of submission */
            copy_queue_finish(&sums[(i * 37) % 64].job);
            cr_assert_eq(sums[(i * 37) % 64].value, 2 * (round + (i * 37) % 64));
            cr_assert_eq(atomic_load(&sums[(i * 37) % 64].runs), 1);
        }
    }
    return NULL;
}

Test(copy_queue, every_job_runs_once)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, many, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

Test(copy_queue, a_forked_child_goes_on)
{
    struct sum before, after;
    start(&before, 1);
    copy_queue_finish(&before.job);
    pid_t child = fork();
    if (!child) {
        start(&after, 21);
        copy_queue_finish(&after.job);
        many(NULL);
        _exit(after.value == 42 ? 0 : 1);
    }
    int status;
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static atomic_int begun, may_end;

static void run_long(struct copy_job *job)
{
    atomic_store(&begun, 1);
    while (!atomic_load(&may_end))
        sched_yield();
    ((struct sum *)job)->value = 42;
}

Test(copy_queue, a_forked_child_repeats_what_the_copy_thread_has_begun)
{
    struct sum sum = {.job.run = run_long};
    int status;
    copy_queue_start(&sum.job);
    while (!atomic_load(&begun))
        sched_yield();
    pid_t child = fork();
    atomic_store(&may_end, 1);
    if (!child) {
        alarm(20);
        copy_queue_finish(&sum.job);
        _exit(sum.value != 42);
    }
    copy_queue_finish(&sum.job);
    cr_expect_eq(sum.value, 42);
    cr_assert_eq(waitpid(child, &status, 0), child);
    cr_expect_eq(status, 0, "the child ended with status %#x", (unsigned)status);
}
