/* thread.h: how Gantry makes threads. Thread-safe. */
#ifndef GANTRY_BASE_THREAD_H
#define GANTRY_BASE_THREAD_H

#include <stdbool.h>

#include "base/error.h"

/* Starts a detached thread with a stack of 16 MiB, in the default floating-point mode (fpu.h). It
 * receives no signals (the client's handlers run on the client's threads), and keeps Gantry's
 * library mapped from then on, even if a client closes it. `name` is copied; its first 15
 * characters count. False when the system makes no thread. */
bool thread_start(const char *name, void (*run)(void *argument), void *argument);

/* Work for a thread of its own, whose caller waits for it. Either of the two may have to end it. */
struct thread_call {
    struct error *(*run)(void *context);
    /* Called instead of giving the context back to a caller that was interrupted: from the caller,
     * while run() is under way, to make it end early; then from the thread, after run(), to free
     * the context. */
    void (*cancel)(void *context);
    void (*abandon)(void *context);
    void *context;
};

/* Runs call->run(call->context) on a thread as above and waits for it. Returns run's error, and
 * the context is the caller's as before; or CANCELLED with *abandoned when the client's program
 * interrupted the wait (interrupt.h), and the context is gone. RESOURCE_EXHAUSTED when the system
 * makes no thread. */
struct error *thread_run_and_wait(const char *name, const struct thread_call *call,
                                  bool *abandoned);

#endif
