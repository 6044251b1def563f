/* execute_context.h: the objects, identified by type, that a client passes to the custom calls of
 * its executions (PJRT_ExecuteContext). Reference-counted: queued executions retain it.
 * Thread-safe. */
#ifndef GANTRY_RUNTIME_EXECUTE_CONTEXT_H
#define GANTRY_RUNTIME_EXECUTE_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct execute_context;

/* owned: execute_context_release */
struct error *execute_context_create(struct execute_context **out);
void execute_context_retain(struct execute_context *context);  /* accepts NULL */
void execute_context_release(struct execute_context *context); /* accepts NULL */

/* Adds an object. With a `deleter` the context owns it and calls `deleter` at the last release;
 * without one it is borrowed until then. On an error the caller keeps it. ALREADY_EXISTS when the
 * context has one of that type. */
struct error *execute_context_add(struct execute_context *context, int64_t type_id, void *object,
                                  void (*deleter)(void *object));
/* Whether the context has an object of the type; *out is borrowed. */
bool execute_context_find(const struct execute_context *context, int64_t type_id, void **out);

#endif
