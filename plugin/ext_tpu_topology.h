/* ext_tpu_topology.h: the TpuTopology extension (pjrt_c_api_tpu_topology_extension.h), for devices
 * that have a grid (devices/device.h). Counts are those of all slices; coordinates are of three
 * dimensions, in a slice. UNIMPLEMENTED for facts that are not public: the routing strategy, and
 * the configurations of slices and platforms. Thread-safe. */
#ifndef GANTRY_PLUGIN_EXT_TPU_TOPOLOGY_H
#define GANTRY_PLUGIN_EXT_TPU_TOPOLOGY_H

#include "pjrt_c_api_tpu_topology_extension.h"

/* Static and constant: the extension's table, which starts the PJRT_Api's extension list. Functions
 * of later versions are absent: clients that read past its end find NULL. */
extern struct ext_tpu_topology_table {
    PJRT_TpuTopology_Extension table;
    void *absent[8];
} ext_tpu_topology;

#endif
