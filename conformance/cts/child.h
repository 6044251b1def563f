/* child.h: work in processes of their own, with a time limit. The calling process never opens the
 * plugin, so that nothing it does can reach the suite; it must have one thread. */
#ifndef GANTRY_CONFORMANCE_CHILD_H
#define GANTRY_CONFORMANCE_CHILD_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "conformance/cts/outcome.h"

/* Work for a child process: run(user, outcome). */
struct child_task {
    void (*run)(const void *user, struct outcome *outcome);
    const void *user; /* borrowed; memory of child_share() if the task writes to it */
};

/* How a child ended. */
struct child_end {
    enum { CHILD_DONE, CHILD_CRASHED, CHILD_TIMED_OUT } how;
    int signal, status; /* of a crash: the signal, or 0 and the status with which it exited */
    double seconds;
    char output[512]; /* what it wrote: the line that says why it ends, or the last one */
};

/* A place for one child at a time; zeroed: none has run yet. */
struct child {
    int pid;    /* 0: none is running */
    int output; /* a file in place of its standard streams */
    double start;
    double seen, cpu, busy;  /* when its processor time was read, that time, when it last grew */
    struct outcome *outcome; /* owned; of the current child, or of the last one */
};

/* Starts a task. RESOURCE_EXHAUSTED without memory, processes or files. */
struct error *child_start(struct child *child, const struct child_task *task);
/* Whether the task has ended, and how; ends it if its time is up: outcome.seconds, or a third of
 * that without any work, since a task that waits so long waits for something that never comes. */
bool child_poll(struct child *child, struct child_end *end);
/* Whether the task has not used the processor for a second: it costs others nothing. */
bool child_is_waiting(const struct child *child);
/* Starts a task and waits for its end. */
struct error *child_run(struct child *child, const struct child_task *task, struct child_end *end);
/* Waits a moment between two polls. */
void child_wait(void);
/* Ends the task if it is running, and frees the outcome. */
void child_close(struct child *child);

/* Zeroed memory that child processes write to (owned: child_unshare), or NULL. */
void *child_share(size_t size);
void child_unshare(void *memory, size_t size); /* accepts NULL */

double child_clock(void); /* seconds of a monotonic clock */

#endif
