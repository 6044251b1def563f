/* pool.h: the thread pool. One per process, shared by all clients and devices; threads start at
 * the first use, never at load, and a forked child rebuilds them. Work is cut in chunks that
 * whoever is free claims: the caller of pool_parallel() works too and never waits for a worker
 * that has not started, so a sleeping or descheduled worker costs nothing. */
#ifndef GANTRY_BASE_POOL_H
#define GANTRY_BASE_POOL_H

#include <stdint.h>

#include "base/error.h"

struct pool;

/* The process's pool (borrowed, lives until the process ends); starts its workers at the first
 * call of pool_parallel or pool_submit, not here. Thread-safe. */
struct pool *pool_shared(void);

/* Threads that can work at once, the caller included; >= 1. */
int pool_width(const struct pool *pool);

/* Runs body(context, begin, end) over disjoint ranges that cover [0, count), each of at most
 * `grain` items, on the caller and any free workers; returns when all are done. body must not fail
 * or block; workers run it in the floating-point mode of programs (fpu.h), the caller in its own.
 * Nested calls run serially. Thread-safe: several callers share the workers. */
void pool_parallel(struct pool *pool, int64_t count, int64_t grain,
                   void (*body)(void *context, int64_t begin, int64_t end), void *context);

/* Runs task(context) once on a worker thread of its own kind (not those of pool_parallel), so that
 * a task may block. Used for asynchronous execution and copies. Fails only when no thread can be
 * made. */
struct error *pool_submit(struct pool *pool, void (*task)(void *context), void *context);

#endif
