/* create_options.h: the named values that a client gives when it makes a client or a topology.
 *
 *   device         the device library it expects: "cpu", "tpu"; INVALID_ARGUMENT when this table
 *                  is for another
 *   platform_name  the name that clients see, by which JAX lowers
 *   device_count   number of devices (of "cpu": else --xla_force_host_platform_device_count in
 *                  XLA_FLAGS)
 *   topology       "v5e:4x4"
 *   memory_limit   bytes of a device
 *
 * Numbers may come as text, as the environment gives them. Options that Gantry does not know are
 * noted in the log and otherwise ignored: frameworks pass what other plugins want. */
#ifndef GANTRY_PLUGIN_CREATE_OPTIONS_H
#define GANTRY_PLUGIN_CREATE_OPTIONS_H

#include "devices/device.h"
#include "pjrt_c_api.h"

struct create_options {
    struct device_options device; /* points into the texts below */
    char platform_name[64], topology[192];
};

/* Errors: INVALID_ARGUMENT for a known option with a wrong type or value; UNIMPLEMENTED for several
 * processes. */
struct error *create_options_read(const struct device_library *library,
                                  const PJRT_NamedValue *values, size_t count,
                                  struct create_options *out);

#endif
