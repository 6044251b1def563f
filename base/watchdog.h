/* watchdog.h: waits that only code of the client can end: a callback that has to return, a promised
 * buffer that has to be filled. They have no limit. When one has lasted for
 * GANTRY_COLLECTIVE_TIMEOUT seconds, a warning says once what is waited for, so that a process that
 * seems to hang does not do so silently. A thread exists only while there are such waits, and at
 * most as long as this limit after them. A forked child has the waits of none of the parent's
 * threads. Thread-safe. */
#ifndef GANTRY_BASE_WATCHDOG_H
#define GANTRY_BASE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Embedded in what waits, which may be on a stack; the fields are the watchdog's. */
struct watchdog_wait {
    struct watchdog_wait *next, **place; /* in the list; `place` is NULL outside of it */
    int64_t deadline;                    /* nanoseconds; INT64_MAX once it has been reported */
    /* Appends a message; false: the wait is not to be reported after all. Called on another
     * thread with a lock held that comes before FORK_EVENTS (fork.h). */
    bool (*describe)(struct watchdog_wait *wait, struct text *out);
};

void watchdog_begin(struct watchdog_wait *wait,
                    bool (*describe)(struct watchdog_wait *wait, struct text *out));
/* Once it has returned, `wait` is not used. */
void watchdog_end(struct watchdog_wait *wait);

/* The limit in seconds. */
int64_t watchdog_seconds(void);

#endif
