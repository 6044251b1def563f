/* cpu_library.h: the host's processor as a device. */
#ifndef GANTRY_DEVICES_CPU_CPU_LIBRARY_H
#define GANTRY_DEVICES_CPU_CPU_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *cpu_library(void);

/* The build ID of this library; static (plugin/plugin.h). */
const char *cpu_build(void);

#endif
