/* stress_operations.h: the operations of a stress run and their expected results. */
#ifndef GANTRY_CONFORMANCE_STRESS_OPERATIONS_H
#define GANTRY_CONFORMANCE_STRESS_OPERATIONS_H

#include "conformance/stress_context.h"

/* Runs one random operation; false if the chosen slots do not allow it. */
bool stress_operations_one(struct stress_worker *worker);
/* Fulfills the slot's promise, if any, with an error. The slot must be write-locked. */
void stress_operations_break_promise(struct stress_context *context, struct stress_slot *slot);
/* Starts a copy of the slot's buffer to the host, whose result is checked later; false if the limit
 * of pending copies is reached. */
bool stress_operations_download(struct stress_worker *worker, struct stress_slot *slot);

#endif
