/* watchdog.h: waits that only the client's code can end: a callback must return, or a promised
 * buffer must be filled. They have no limit. After GANTRY_COLLECTIVE_TIMEOUT seconds, one warning
 * names the reason of the wait, so that the process does not hang silently. The watchdog's thread
 * exists only during such waits, and at most this limit longer. A forked child has none of the
 * parent's waits. Thread-safe. */
#ifndef GANTRY_BASE_WATCHDOG_H
#define GANTRY_BASE_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* Embedded in the waiting object, which may be on a stack; the fields are private. */
struct watchdog_wait {
    struct watchdog_wait *next, **place; /* in the list; `place` is NULL outside of it */
    int64_t deadline;                    /* nanoseconds; INT64_MAX once it has been reported */
    /* Appends a message; false: do not report the wait. Called on another thread with a lock held
     * that comes before FORK_EVENTS (fork.h). */
    bool (*describe)(struct watchdog_wait *wait, struct text *out);
};

void watchdog_begin(struct watchdog_wait *wait,
                    bool (*describe)(struct watchdog_wait *wait, struct text *out));
/* After it returns, `wait` is not used. */
void watchdog_end(struct watchdog_wait *wait);

/* The limit in seconds. */
int64_t watchdog_seconds(void);

#endif
