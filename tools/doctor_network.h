/* doctor_network.h: `gantry doctor --network`: the network between the processes of the job that
 * this process is part of. Not thread-safe. */
#ifndef GANTRY_TOOLS_DOCTOR_NETWORK_H
#define GANTRY_TOOLS_DOCTOR_NETWORK_H

#include "tools/job_client.h"

/* Adds "network" (job_network.h) to the report of process 0, with what was found by then when it
 * fails, and the problems. In the other processes only what does not work in them. */
void doctor_network(struct job_client *job, const char *plugin, cJSON *report);
/* Prints the report as text. */
void doctor_network_print(const cJSON *report);

#endif
