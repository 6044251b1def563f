/* launch.h: walks the steps of a program over real memory: kernels cut over the thread pool,
 * library calls by plans, copies, loops and branches. Every device that computes values runs this;
 * devices/tpu adds time, not values. */
#ifndef GANTRY_DEVICES_HOST_LAUNCH_H
#define GANTRY_DEVICES_HOST_LAUNCH_H

#include "devices/device.h"

/* `temp`: the program's temp_size bytes, 64-byte aligned, or NULL when 0. Thread-safe; may run many
 * launches of one program at once. */
struct error *launch_run(const struct launch *launch, void *temp);

#endif
