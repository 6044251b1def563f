/* null_library.h: the smallest device: the skeleton to copy for a new one, and a fake for tests.
 * It has memory that is counted and that the host does not address, compiles for the host's
 * processor, and runs nothing: a launch leaves zeros in the results, or fails on request. */
#ifndef GANTRY_DEVICES_NULL_NULL_LIBRARY_H
#define GANTRY_DEVICES_NULL_NULL_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *null_library(void);

/* The build of this library, static (plugin/plugin.h). */
const char *null_build(void);

/* Testing: the n-th launch from now on fails with INTERNAL, once (n >= 1; 0 turns it off).
 * Process-wide. */
void null_library_fail_at(int n);

#endif
