/* futex.h: waiting for a word of memory to change. There is no state besides the word, so a forked
 * child may continue to use a word on which other threads of the parent waited. Thread-safe. */
#ifndef GANTRY_BASE_FUTEX_H
#define GANTRY_BASE_FUTEX_H

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Sleeps until woken if *word is `value`; spurious wakeups are possible. Returns false when a
 * signal handler interrupted the wait. */
static inline bool futex_wait(atomic_uint *word, unsigned value)
{
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0) == 0 ||
           errno != EINTR;
}

/* The same, for at most `nanoseconds`. */
static inline bool futex_wait_for(atomic_uint *word, unsigned value, int64_t nanoseconds)
{
    struct timespec limit = {nanoseconds / 1000000000, nanoseconds % 1000000000};
    return syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, &limit, NULL, 0) == 0 ||
           errno != EINTR;
}

enum { FUTEX_ALL = INT_MAX };

/* Wakes up to `count` threads that wait on the word. */
static inline void futex_wake(atomic_uint *word, int count)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count, NULL, NULL, 0);
}

#endif
