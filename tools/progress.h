/* progress.h: a line on a terminal with the elapsed and the expected time of some work. The line
 * appears after `delay` seconds and goes when the work has ended; shorter work shows nothing. One
 * thread begins and ends it; the line is written by a thread of its own. */
#ifndef GANTRY_TOOLS_PROGRESS_H
#define GANTRY_TOOLS_PROGRESS_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct progress {
    const char *what;                  /* "running"; borrowed, as is the context */
    double (*expected)(void *context); /* seconds, 0: unknown; called once, on the line's thread */
    void *context;
    int file;               /* a terminal's descriptor; -1: nothing is shown */
    double delay, interval; /* seconds: until the line appears, between its changes */
    struct progress_state { /* progress.c's own */
        pthread_t thread;
        pthread_mutex_t lock;
        pthread_cond_t ended;
        bool running, done;
    } state;
};

/* Standard error if it is a terminal, else -1. */
int progress_terminal(void);
/* Without a thread to be had, nothing is shown. */
void progress_begin(struct progress *progress);
void progress_end(struct progress *progress);

/* "running: 12 s of about 40 s (30 %)", "running: 12 s"; expected 0: unknown. */
enum { PROGRESS_TEXT = 128 };
const char *progress_text(const char *what, double seconds, double expected,
                          char out[PROGRESS_TEXT]);

#endif
