/* tpu_library.h: a model of a single-chip TPU v5e: its name, topology and memory. Values are
 * computed on the host's cores. */
#ifndef GANTRY_DEVICES_TPU_TPU_LIBRARY_H
#define GANTRY_DEVICES_TPU_TPU_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *tpu_library(void);

/* The build ID of this library; static (plugin/plugin.h). */
const char *tpu_build(void);

#endif
