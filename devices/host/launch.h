/* launch.h: executes the steps of a program: generated kernels split over the thread pool,
 * library calls with cached plans, copies, loops and branches. Every device that computes values
 * uses it. */
#ifndef GANTRY_DEVICES_HOST_LAUNCH_H
#define GANTRY_DEVICES_HOST_LAUNCH_H

#include "devices/device.h"

/* `temps`: per memory kind, program_temp_size() bytes, 64-byte aligned, or NULL if that is 0.
 * Thread-safe: launches of one program may run concurrently. */
struct error *launch_run(const struct launch *launch, void *const temps[MEMORY_KIND_COUNT]);

#endif
