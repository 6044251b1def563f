/* job_machine.h: what a process of a job reports of itself and its machine to the others
 * (PJRT_Gantry_Machine). Objects may be NULL, or anything that another process has put: what is
 * missing reads as empty. Not thread-safe. */
#ifndef GANTRY_TOOLS_JOB_MACHINE_H
#define GANTRY_TOOLS_JOB_MACHINE_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "tools/abi.h"

/* Of this process. *out is owned: cJSON_Delete(). */
struct error *job_machine_read(const PJRT_Api *api, PJRT_Client *client, cJSON **out);

/* Of the process with number `process`, whose machine it is: its host, "?" if unknown. Borrowed. */
const char *job_machine_host(const cJSON *machine, int process);
/* The addresses at which the process accepts connections. Borrowed. */
const char *job_machine_listens(const cJSON *machine);
int job_machine_devices(const cJSON *machine); /* how many it has */
int job_machine_device(const cJSON *machine);  /* the id of its first one */
/* The first process on this machine; `process` itself if unknown. */
int job_machine_first_near(const cJSON *machine, int process);
/* Whether a process reads this one's memory, and whether it is on this machine. */
bool job_machine_reads(const cJSON *machine, int process);
bool job_machine_is_near(const cJSON *machine, int process);

#endif
