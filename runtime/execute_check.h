/* execute_check.h: checks of a request before it is executed, in addition to the counts that
 * execute_check() checks (execute.h, the same file). Thread-safe: nothing is changed. */
#ifndef GANTRY_RUNTIME_EXECUTE_CHECK_H
#define GANTRY_RUNTIME_EXECUTE_CHECK_H

#include "runtime/execute.h"

/* Argument number `index` on the device that the program runs on. Errors: INVALID_ARGUMENT for a
 * missing one, and another client, memory kind, shape, layout or device than the program has. */
struct error *execute_check_argument(const struct program *program, int index,
                                     const struct buffer *buffer,
                                     const struct client_device *device);

/* Every device has the callbacks of the program's channels. Errors: those of
 * host_transfer_check(). */
struct error *execute_check_hosts(const struct execute_request *request);

#endif
