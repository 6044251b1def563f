/* compile_thread.h: runs a compile on its own thread, with a stack that is large enough for the
 * compiler's recursion and with the C locale, and waits for it. Thread-safe. */
#ifndef GANTRY_COMPILER_DRIVER_COMPILE_THREAD_H
#define GANTRY_COMPILER_DRIVER_COMPILE_THREAD_H

#include "base/arena.h"

/* Returns the result of arena_run(arena, body, context). RESOURCE_EXHAUSTED when no thread can be
 * created. Long compiles are logged.
 *
 * When the client's process is interrupted (base/interrupt.h), returns CANCELLED with *abandoned
 * set; the compile continues until it allocates memory or ends, and then calls abandon(context),
 * which frees the context and the arena. They must therefore not refer to memory of the caller of
 * compile(). If *abandoned is false, the caller keeps context and arena. */
struct error *compile_thread_run(struct arena *arena, struct error *(*body)(void *context),
                                 void (*abandon)(void *context), void *context, bool *abandoned);

#endif
