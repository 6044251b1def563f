/* tasks.h: the threads behind pool_submit(). There are as many as concurrent tasks, since a task
 * may block. They start on demand and exit after some idle seconds. Thread-safe. A forked child
 * starts without threads and does not run the tasks that the parent had queued. */
#ifndef GANTRY_BASE_TASKS_H
#define GANTRY_BASE_TASKS_H

#include "base/error.h"

/* Runs run(context) once on a thread of its own. RESOURCE_EXHAUSTED when no thread can be
 * created. */
struct error *tasks_submit(void (*run)(void *context), void *context);

#endif
