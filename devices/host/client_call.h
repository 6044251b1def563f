/* client_call.h: calls of the client's functions by a running program: handlers of custom calls,
 * callbacks of sends and receives. They run in the floating-point mode of the client's thread, may
 * block, and may never return: the launch's progress says so to other threads, and the watchdog
 * (base/watchdog.h) warns. */
#ifndef GANTRY_DEVICES_HOST_CLIENT_CALL_H
#define GANTRY_DEVICES_HOST_CLIENT_CALL_H

#include "base/watchdog.h"
#include "devices/device.h"

struct client_call {           /* on the caller's stack; the fields are private */
    struct watchdog_wait wait; /* first */
    const struct launch *launch;
    const struct step *step;
    struct fpu_mode mode;
};

/* Surround one call, which `step` of the launch makes on this thread. */
void client_call_begin(struct client_call *call, const struct launch *launch,
                       const struct step *step);
void client_call_end(struct client_call *call);

#endif
