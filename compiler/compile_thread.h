/* compile_thread.h: runs a compile on a thread of its own, with a stack that its recursion fits
 * in and the C locale, and waits for it. Thread-safe. */
#ifndef GANTRY_COMPILER_COMPILE_THREAD_H
#define GANTRY_COMPILER_COMPILE_THREAD_H

#include "base/arena.h"

/* Returns what arena_run(arena, body, context) returns. RESOURCE_EXHAUSTED when the system makes no
 * thread. Compiles that take long are noted in the log.
 *
 * When the client's program is interrupted (base/interrupt.h) it returns CANCELLED with *abandoned,
 * while the compile goes on until it needs memory or ends; then the thread calls
 * abandon(context), which frees the context and the arena. So these must not refer to what the
 * caller of compile() owns. Without *abandoned they are the caller's as before. */
struct error *compile_thread_run(struct arena *arena, struct error *(*body)(void *context),
                                 void (*abandon)(void *context), void *context, bool *abandoned);

#endif
