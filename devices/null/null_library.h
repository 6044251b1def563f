/* null_library.h: a minimal device: a template for new devices and a fake for tests. Its memory is
 * accounted for, and the host cannot address it. It compiles for the host's processor but runs
 * nothing: a launch leaves zeros in the results, or fails on request. */
#ifndef GANTRY_DEVICES_NULL_NULL_LIBRARY_H
#define GANTRY_DEVICES_NULL_NULL_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *null_library(void);

/* The build ID of this library; static (plugin/plugin.h). */
const char *null_build(void);

/* For tests: the n-th launch from now on fails once with INTERNAL (n >= 1; 0 disables it).
 * Process-wide. */
void null_library_fail_at(int n);

#endif
