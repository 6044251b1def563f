/* activity.h: the current program and step of a device, for tools that watch a running process. The
 * device's thread writes, others read. Readers and the writer never wait for each other.
 *
 * Only the thread whose activity_begin() succeeded writes, until its activity_end().
 * Thread-safe. */
#ifndef GANTRY_BASE_ACTIVITY_H
#define GANTRY_BASE_ACTIVITY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { ACTIVITY_TEXT = 120 }; /* bytes of a text, NUL included; longer texts are truncated */

struct activity_text {
    _Atomic(uint64_t) words[ACTIVITY_TEXT / 8];
};

struct activity {                                /* zeros: nothing runs */
    atomic_bool taken;                           /* by a writer */
    atomic_uint version;                         /* odd while the writer changes it */
    _Atomic(uint64_t) program_since, step_since; /* 0: none */
    struct activity_text program, step;
};

struct activity_view {
    char program[ACTIVITY_TEXT], step[ACTIVITY_TEXT]; /* "": none runs */
    double program_seconds, step_seconds;             /* for how long they have run */
};

/* Sets the running program, without a step yet; copied. False: another thread's program is recorded
 * instead. */
bool activity_begin(struct activity *activity, const char *program);
/* Sets the running step of the program; copied. */
void activity_step(struct activity *activity, const char *label);
void activity_end(struct activity *activity);
/* False: concurrent writes prevented a consistent read; *out is empty. */
bool activity_read(const struct activity *activity, struct activity_view *out);

#endif
