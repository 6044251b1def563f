/* watchdog.c: see watchdog.h. The thread sleeps until the first deadline. A wait that begins later
 * has a later deadline, so it never has to be woken. */
#include "base/watchdog.h"

#include <time.h>

#include "base/clock.h"
#include "base/env.h"
#include "base/fork.h"
#include "base/log.h"
#include "base/pool.h"

enum { DEFAULT_SECONDS = 40 };

static void in_child(struct fork_lock *unused);
static struct {
    struct fork_lock lock; /* guards the rest */
    struct watchdog_wait *first;
    bool has_thread;
} watchdog = {.lock = FORK_LOCK(FORK_WATCHDOG, in_child)};

static void in_child(struct fork_lock *unused)
{
    (void)unused;
    for (struct watchdog_wait *wait = watchdog.first; wait; wait = wait->next)
        wait->place = NULL;
    watchdog.first = NULL;
    watchdog.has_thread = false;
}

int64_t watchdog_seconds(void)
{
    return env_int(ENV_GANTRY_COLLECTIVE_TIMEOUT, DEFAULT_SECONDS);
}

/* Adds the message about a wait that is overdue; false: there is none. Requires the lock. */
static bool report_one(int64_t now, struct text *out)
{
    for (struct watchdog_wait *wait = watchdog.first; wait; wait = wait->next) {
        if (wait->deadline > now)
            continue;
        wait->deadline = INT64_MAX;
        if (wait->describe(wait, out))
            return true;
    }
    return false;
}

/* Nanoseconds until the first deadline; 0: there are no waits, and the thread has to end. Requires
 * the lock. */
static int64_t time_left(int64_t now)
{
    int64_t limit = watchdog_seconds() * CLOCK_SECOND, left = watchdog.first ? limit : 0;
    for (struct watchdog_wait *wait = watchdog.first; wait; wait = wait->next)
        if (wait->deadline - now < left)
            left = wait->deadline > now ? wait->deadline - now : 1;
    return left;
}

static void watch(void *unused)
{
    (void)unused;
    for (int64_t left = 1; left;) {
        struct text message = {0};
        int64_t now = clock_now();
        fork_lock_take(&watchdog.lock);
        bool found = report_one(now, &message);
        left = found ? 1 : time_left(now);
        watchdog.has_thread = left != 0;
        fork_lock_release(&watchdog.lock);
        if (found && message.data)
            LOG(WARNING, "still waiting: %s", message.data);
        text_free(&message);
        nanosleep(&(struct timespec){left / CLOCK_SECOND, left % CLOCK_SECOND}, NULL);
    }
}

static void start_thread(void)
{
    struct error *error = pool_submit(pool_shared(), watch, NULL);
    if (!error)
        return;
    fork_lock_take(&watchdog.lock);
    watchdog.has_thread = false;
    fork_lock_release(&watchdog.lock);
    error_free(error);
}

void watchdog_begin(struct watchdog_wait *wait,
                    bool (*describe)(struct watchdog_wait *wait, struct text *out))
{
    wait->describe = describe;
    wait->deadline = clock_now() + watchdog_seconds() * CLOCK_SECOND;
    fork_lock_take(&watchdog.lock);
    wait->next = watchdog.first;
    wait->place = &watchdog.first;
    if (wait->next)
        wait->next->place = &wait->next;
    watchdog.first = wait;
    bool starts = !watchdog.has_thread;
    watchdog.has_thread = true;
    fork_lock_release(&watchdog.lock);
    if (starts)
        start_thread();
}

void watchdog_end(struct watchdog_wait *wait)
{
    fork_lock_take(&watchdog.lock);
    if (wait->place) {
        *wait->place = wait->next;
        if (wait->next)
            wait->next->place = wait->place;
        wait->place = NULL;
    }
    fork_lock_release(&watchdog.lock);
}
