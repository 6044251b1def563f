/* fork_test.c: locks that other threads hold, acquire and create while the process forks. */
#include "base/fork.h"

#include <criterion/criterion.h>
#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 100, CHILD_SECONDS = 60 };

static void note_child(struct fork_lock *lock);
static struct fork_lock outer = FORK_LOCK(FORK_QUEUE, NULL);
static struct fork_lock inner = FORK_LOCK(FORK_TRACE, note_child);
static int first, second; /* equal except while `inner` is held */
static int children;
static atomic_bool over;

static void note_child(struct fork_lock *lock)
{
    (void)lock;
    children++;
}

static void *keep_locking(void *unused)
{
    (void)unused;
    while (!atomic_load(&over)) {
        fork_lock_take(&outer);
        fork_lock_take(&inner);
        first++;
        second++;
        fork_lock_release(&inner);
        fork_lock_release(&outer);
    }
    return NULL;
}

/* Locks that are created and removed, and the locks of objects. */
static void *keep_making(void *unused)
{
    (void)unused;
    while (!atomic_load(&over)) {
        struct fork_lock own;
        fork_lock_init(&own, FORK_QUEUE, NULL);
        fork_lock_take(&own);
        fork_lock_take(fork_lock_of(&own));
        fork_lock_release(fork_lock_of(&own));
        fork_lock_release(&own);
        fork_lock_remove(&own);
    }
    return NULL;
}

static void use_in_child(void)
{
    alarm(CHILD_SECONDS);
    fork_lock_take(&outer);
    fork_lock_take(fork_lock_of(&over));
    fork_lock_release(fork_lock_of(&over));
    fork_lock_take(&inner);
    _exit(first != second || children != 1);
}

Test(fork, locks_are_free_and_state_is_whole_in_the_child)
{
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, i % 2 ? keep_locking : keep_making, NULL),
                     0);
    fork_lock_take(&inner); /* registered, so that the first child handles it */
    fork_lock_release(&inner);
    for (int i = 0; i < FORKS; i++) {
        int status = 1;
        pid_t child = fork();
        if (child == 0)
            use_in_child();
        cr_assert_gt(child, 0);
        waitpid(child, &status, 0);
        cr_assert_eq(status, 0, "fork %d ends with status %#x", i, (unsigned)status);
    }
    atomic_store(&over, true);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}
