/* environment.h: the topology requested by environment variables, if no create option requests one.
 *
 *   GANTRY_TPU_TOPOLOGY           a whole topology (topology.h); wins over all others
 *   TPU_ACCELERATOR_TYPE          "v5litepod-16", "v4-8", "v6e-4": generation and size
 *   TPU_CHIPS_PER_PROCESS_BOUNDS  "2,2,1": chips of a process (older: TPU_CHIPS_PER_HOST_BOUNDS)
 *   TPU_PROCESS_BOUNDS            "1,1,1": processes (older: TPU_HOST_BOUNDS)
 *   TPU_VISIBLE_CHIPS             "0,1,2,3": which chips of the host (older: TPU_VISIBLE_DEVICES)
 *   MEGASCALE_NUM_SLICES          "2": slices
 *
 *   TPU_PROCESS_ADDRESSES         "10.0.0.1:8476,10.0.0.2:8476": one for each process
 *   CLOUD_TPU_TASK_ID             "0": which of them this one is
 *
 * A client has the devices of all processes. It is one of several processes where
 * TPU_PROCESS_ADDRESSES has more than one, or create options say so; otherwise all devices are its
 * own, whatever processes there would be. Bounds win over the accelerator type, and over visible
 * chips. Thread-safe. */
#ifndef GANTRY_DEVICES_TPU_ENVIRONMENT_H
#define GANTRY_DEVICES_TPU_ENVIRONMENT_H

#include "base/text.h"
#include "devices/tpu/topology.h"

struct tpu_environment { /* the variables' values; NULL: unset */
    const char *topology, *accelerator_type, *chips_bounds, *process_bounds, *visible_chips;
    const char *process_addresses, *task, *slices;
    bool in_job; /* the client is one of several processes, each with its own host's chips */
};

void tpu_environment_read(struct tpu_environment *out); /* borrowed from the environment */

/* This process, and how many there are: 1 without TPU_PROCESS_ADDRESSES. INVALID_ARGUMENT. */
struct error *tpu_environment_process(const struct tpu_environment *values, int *process,
                                      int *count);

/* The topology; v5e:1x1 when no variable is set. Appends to `note` which variable won, for those
 * that contradict each other. INVALID_ARGUMENT for a malformed value, with the variable's name and
 * the allowed values. */
struct error *tpu_environment_topology(const struct tpu_environment *values,
                                       struct tpu_topology *out, struct text *note);

#endif
