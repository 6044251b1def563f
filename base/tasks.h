/* tasks.h: the threads behind pool_submit(): as many as tasks that run at once, since a task may
 * block. They start when needed and leave after some idle seconds. Thread-safe; a forked child
 * starts with none, and does not run what the parent had queued. */
#ifndef GANTRY_BASE_TASKS_H
#define GANTRY_BASE_TASKS_H

#include "base/error.h"

/* Runs run(context) once on a thread of its own; RESOURCE_EXHAUSTED when none can be made. */
struct error *tasks_submit(void (*run)(void *context), void *context);

#endif
