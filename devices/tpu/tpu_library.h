/* tpu_library.h: a TPU v5e of one chip as a device: its name, place and memory; values come from
 * the host's cores. */
#ifndef GANTRY_DEVICES_TPU_TPU_LIBRARY_H
#define GANTRY_DEVICES_TPU_TPU_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *tpu_library(void);

/* The build of this library, static (plugin/plugin.h). */
const char *tpu_build(void);

#endif
