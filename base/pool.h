/* pool.h: the thread pool. There is one per process, shared by all clients and devices. Threads
 * start at the first use, never at load time, and a forked child starts its own. Work is divided
 * into chunks, which free workers claim. The caller of pool_parallel() works too and never waits
 * for a worker that has not started, so a sleeping or descheduled worker costs nothing. */
#ifndef GANTRY_BASE_POOL_H
#define GANTRY_BASE_POOL_H

#include <stdint.h>

#include "base/error.h"

struct pool;

/* The process's pool (borrowed; valid until the process ends). Workers start at the first call of
 * pool_parallel or pool_submit, not here. Thread-safe. */
struct pool *pool_shared(void);

/* Number of threads that can work at once, including the caller; >= 1. */
int pool_width(const struct pool *pool);

/* Groups pinned workers by group_of(cpu), the memory node of a core: a call wakes workers of the
 * caller's group first. Has an effect only before the workers start. */
void pool_group_cores(struct pool *pool, int (*group_of)(int cpu));

/* The cores that workers are pinned to, or will be when they start. Writes at most `capacity` and
 * returns how many there are; 0: workers are not pinned. */
int pool_pinned_cores(const struct pool *pool, int *cpus, int capacity);

/* Runs body(context, begin, end) over disjoint ranges that cover [0, count), each of at most
 * `grain` items, on the caller and any free workers, and returns when all are done. body must not
 * fail or block. Workers run it in the floating-point mode of programs (fpu.h), the caller in its
 * current mode. Nested calls run serially. Thread-safe: several callers share the workers. */
void pool_parallel(struct pool *pool, int64_t count, int64_t grain,
                   void (*body)(void *context, int64_t begin, int64_t end), void *context);

/* Runs task(context) once on a thread that is separate from the workers of pool_parallel, so that a
 * task may block. Used for asynchronous execution and copies. Fails only when no thread can be
 * created. */
struct error *pool_submit(struct pool *pool, void (*task)(void *context), void *context);

#endif
