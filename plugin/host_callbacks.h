/* host_callbacks.h: converts the send and receive callbacks that a client passes to an execution to
 * channels of runtime/host_transfer.h. */
#ifndef GANTRY_PLUGIN_HOST_CALLBACKS_H
#define GANTRY_PLUGIN_HOST_CALLBACKS_H

#include "pjrt_c_api.h"
#include "runtime/host_transfer.h"

/* One set per device (*out owned: host_callbacks_release); *out is NULL when the options have no
 * callbacks. `options` may be NULL or an older client's. Errors: INVALID_ARGUMENT for a missing
 * array or function, or two callbacks for one channel. */
struct error *host_callbacks_read(const PJRT_ExecuteOptions *options, size_t device_count,
                                  struct host_transfer ***out);
void host_callbacks_release(struct host_transfer **hosts, size_t device_count); /* accepts NULL */

#endif
