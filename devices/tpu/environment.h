/* environment.h: the topology that environment variables ask for, where no create option does.
 *
 *   GANTRY_TPU_TOPOLOGY           a whole topology (topology.h); wins over all others
 *   TPU_ACCELERATOR_TYPE          "v5litepod-16", "v4-8", "v6e-4": generation and size
 *   TPU_CHIPS_PER_PROCESS_BOUNDS  "2,2,1": chips of a process (older: TPU_CHIPS_PER_HOST_BOUNDS)
 *   TPU_PROCESS_BOUNDS            "1,1,1": processes (older: TPU_HOST_BOUNDS)
 *   TPU_VISIBLE_CHIPS             "0,1,2,3": which chips of the host (older: TPU_VISIBLE_DEVICES)
 *   MEGASCALE_NUM_SLICES          "2": slices
 *
 * One client has all devices, whatever processes there would be. Bounds win over the accelerator
 * type, and over visible chips. Thread-safe. */
#ifndef GANTRY_DEVICES_TPU_ENVIRONMENT_H
#define GANTRY_DEVICES_TPU_ENVIRONMENT_H

#include "base/text.h"
#include "devices/tpu/topology.h"

struct tpu_environment { /* the variables' values; NULL: unset */
    const char *topology, *accelerator_type, *chips_bounds, *process_bounds, *visible_chips;
    const char *process_addresses, *slices;
};

void tpu_environment_read(struct tpu_environment *out); /* borrowed from the environment */

/* The topology; v5e:1x1 when no variable is set. Appends to `note` which variable won, for those
 * that contradict each other. INVALID_ARGUMENT for a malformed value, with the variable's name and
 * what is legal; UNIMPLEMENTED for a client of several processes. */
struct error *tpu_environment_topology(const struct tpu_environment *values,
                                       struct tpu_topology *out, struct text *note);

#endif
