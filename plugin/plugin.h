/* plugin.h: the PJRT_Api tables, one for each device library of the process. */
#ifndef GANTRY_PLUGIN_PLUGIN_H
#define GANTRY_PLUGIN_PLUGIN_H

#include "devices/device.h"
#include "pjrt_c_api.h"

enum { PLUGIN_LIBRARIES = 8 }; /* device libraries that one process can use */

/* The table for a library. `library` is borrowed and must stay loaded while the table is used. The
 * table is static and the same for every library of that name; NULL when there are tables for
 * PLUGIN_LIBRARIES others. Starts nothing. Thread-safe. */
const PJRT_Api *plugin_api(const struct device_library *library);

/* The build of the core; static. Each device library has such a function too, under its own name
 * (cpu_build). The loader rejects libraries whose build differs from its own. */
const char *plugin_build(void);

#endif
