/* activity.h: what a device does now, for who watches a running process: its thread writes, others
 * read. A reader never waits for the writer, nor the writer for a reader.
 *
 * One thread at a time writes: the one whose activity_begin() succeeded, until its activity_end().
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

/* The program that runs from now on, without a step yet; copied. False: another thread's program is
 * shown, and the caller's is not. */
bool activity_begin(struct activity *activity, const char *program);
/* The step of the program that runs from now on; copied. */
void activity_step(struct activity *activity, const char *label);
void activity_end(struct activity *activity);
/* False: the writer changed it all the time, and *out is empty. */
bool activity_read(const struct activity *activity, struct activity_view *out);

#endif
