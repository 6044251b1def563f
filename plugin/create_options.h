/* create_options.h: the named values that a caller passes when it creates a client or a topology.
 *
 *   device         the device library it expects: "cpu", "tpu"; INVALID_ARGUMENT when this table
 *                  is for another
 *   platform_name  the name that clients see, by which JAX lowers
 *   device_count   number of devices (of "cpu": else --xla_force_host_platform_device_count in
 *                  XLA_FLAGS)
 *   topology       "v5e:4x4" (devices/tpu/topology.h)
 *   chips_per_host_bounds (a list of 1 to 3 numbers, or "2x2x1"), num_slices, chip_config_name
 *                  options of the topology
 *   numerics       "tpu" or "f32": products on the TPU model (GANTRY_TPU_NUMERICS)
 *   memory_limit, pinned_host_memory_limit, unpinned_host_memory_limit
 *                  bytes of each memory of a device: a number, or a text like "16G"; 0: as much as
 *                  the device (the host) has. Without the option: GANTRY_DEVICE_MEMORY,
 *                  GANTRY_PINNED_HOST_MEMORY, GANTRY_UNPINNED_HOST_MEMORY
 *
 *   node_id, num_nodes
 *                  this process and the number of processes; more than 1: the client has the
 *                  devices of all, and needs the caller's key-value store
 *   memory_check   0: compile even programs that exceed the memory, so that their memory plans
 *                  can be inspected; default 1
 *
 * Numbers may be passed as text. Unknown options are logged and otherwise ignored, since frameworks
 * also pass options for other plugins. */
#ifndef GANTRY_PLUGIN_CREATE_OPTIONS_H
#define GANTRY_PLUGIN_CREATE_OPTIONS_H

#include "devices/device.h"
#include "pjrt_c_api.h"

struct create_options {
    struct device_options device; /* may point to the texts below */
    int process, process_count;   /* 0 or 1: a client of one process */
    char platform_name[64], topology[192];
    char topology_options[128]; /* ",num_slices=2", to be added to the topology's name */
};

/* Errors: INVALID_ARGUMENT for a known option with a wrong type or value. */
struct error *create_options_read(const struct device_library *library,
                                  const PJRT_NamedValue *values, size_t count,
                                  struct create_options *out);

/* Replaces the topology by the one of this name, with the options that were read.
 * INVALID_ARGUMENT when it is too long. */
struct error *create_options_set_topology(struct create_options *options, const char *name,
                                          size_t size);

#endif
