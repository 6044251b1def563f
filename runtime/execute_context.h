/* execute_context.h: what a client hands to the custom calls of its executions
 * (PJRT_ExecuteContext): objects, each known by its type. Counted: executions that are still queued
 * keep it. Thread-safe. */
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

/* Adds an object: moved when `deleter` is given (called with the last reference), else borrowed
 * until then. On an error it stays the caller's. ALREADY_EXISTS when the context has one of that
 * type. */
struct error *execute_context_add(struct execute_context *context, int64_t type_id, void *object,
                                  void (*deleter)(void *object));
/* True when there is an object of the type; borrowed. */
bool execute_context_find(const struct execute_context *context, int64_t type_id, void **out);

#endif
