/* thread.h: creates threads. Thread-safe. */
#ifndef GANTRY_BASE_THREAD_H
#define GANTRY_BASE_THREAD_H

#include <stdbool.h>

#include "base/error.h"

/* Starts a detached thread with a stack of 16 MiB, in the default floating-point mode (fpu.h). It
 * blocks all signals except those raised by its own faults: the client's handlers run on the
 * client's threads, and its crash handler on all. From then on Gantry's library stays mapped, even
 * if a client closes it. `name` is copied and truncated to 15 characters. Returns false when the
 * thread cannot be created. */
bool thread_start(const char *name, void (*run)(void *argument), void *argument);

/* Runs run(argument) on a thread as above and returns when it has ended. Returns false when the
 * thread cannot be created. */
bool thread_run(const char *name, void (*run)(void *argument), void *argument);

/* Runs body(context, i) once for every i in [0, count), on the caller and on at most `threads` - 1
 * threads as above, in increasing order. Returns when all are done. Threads that cannot be created
 * are omitted. For work of many milliseconds; shorter work is pool_parallel()'s. */
void thread_parallel(const char *name, int count, int threads, void (*body)(void *context, int i),
                     void *context);

/* Work that runs on a thread of its own while the caller waits for it. */
struct thread_call {
    struct error *(*run)(void *context);
    /* Called when the caller's wait is interrupted. cancel() is called by the caller while run() is
     * in progress, to make it end early; then abandon() is called by the thread after run(), to
     * free the context. */
    void (*cancel)(void *context);
    void (*abandon)(void *context);
    void *context;
};

/* Runs call->run(call->context) on a thread as above and waits for it. Returns run's error; the
 * caller still owns the context. If the client's program interrupts the wait (interrupt.h), sets
 * *abandoned and returns CANCELLED, and the caller no longer owns the context. RESOURCE_EXHAUSTED
 * when the thread cannot be created. */
struct error *thread_run_and_wait(const char *name, const struct thread_call *call,
                                  bool *abandoned);

/* On a thread of thread_run_and_wait(): runs function(context) on the thread that waits for it, and
 * returns when it is done; for the client's functions, which may depend on the thread that called
 * Gantry. Elsewhere runs it at once. CANCELLED, without running it, when that thread has stopped
 * waiting. */
struct error *thread_run_on_caller(void (*function)(void *context), void *context);

#endif
