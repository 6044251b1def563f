/* tpu_library.h: a model of TPUs: names, topology, memory and numerics of every generation
 * (spec.def). Values are computed on the host's cores. The topology is that of the create option
 * (topology.h says how it is written), else of the environment (environment.h). */
#ifndef GANTRY_DEVICES_TPU_TPU_LIBRARY_H
#define GANTRY_DEVICES_TPU_TPU_LIBRARY_H

#include "devices/device.h"

/* Static; thread-safe. */
const struct device_library *tpu_library(void);

/* The build ID of this library; static (plugin/plugin.h). */
const char *tpu_build(void);

#endif
