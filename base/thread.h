/* thread.h: how Gantry makes threads. Thread-safe. */
#ifndef GANTRY_BASE_THREAD_H
#define GANTRY_BASE_THREAD_H

#include <stdbool.h>

/* Starts a detached thread with a stack of 16 MiB, in the default floating-point mode (fpu.h). It
 * receives no signals (the client's handlers run on the client's threads), and keeps Gantry's
 * library mapped from then on, even if a client closes it. `name` is copied; its first 15
 * characters count. False when the system makes no thread. */
bool thread_start(const char *name, void (*run)(void *argument), void *argument);

#endif
