/* plugin.h: the tables of functions that clients get, one for each device library of the
 * process. */
#ifndef GANTRY_PLUGIN_PLUGIN_H
#define GANTRY_PLUGIN_PLUGIN_H

#include "devices/device.h"
#include "pjrt_c_api.h"

enum { PLUGIN_LIBRARIES = 8 }; /* device libraries that one process can use */

/* The table for a library (borrowed: it must stay loaded while the table is used): static, the same
 * one for every library of that name; NULL when PLUGIN_LIBRARIES others have one. Starts nothing.
 * Thread-safe. */
const PJRT_Api *plugin_api(const struct device_library *library);

/* The build of the core, static. The loader refuses libraries of another build than its own: each
 * device library has such a function too, by its own name (cpu_build). */
const char *plugin_build(void);

#endif
