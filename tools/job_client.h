/* job_client.h: the job of several processes that this command is part of, when it was started by
 * `gantry launch` or with the variables RANK, WORLD_SIZE and JAX_COORDINATOR_ADDRESS, and the
 * plugin's client in it. The processes find each other as those of a JAX program do, with a store
 * of their own (job_store.h) in the place of JAX's. One call at a time. */
#ifndef GANTRY_TOOLS_JOB_CLIENT_H
#define GANTRY_TOOLS_JOB_CLIENT_H

#include <cjson/cJSON.h>

#include "tools/abi.h"
#include "tools/job_store.h"

struct job_client {
    int process, count;
    const char *coordinator; /* borrowed from the environment */
    struct job_store *store;
};

/* Reads the variables. FAILED_PRECONDITION when they are not set, with how to start a job;
 * INVALID_ARGUMENT for values that are not allowed. */
struct error *job_client_find(struct job_client *out);
/* Opens the store, waiting for process 0 as long as a client waits for the others. */
struct error *job_client_open(struct job_client *job);
/* Creates the plugin's client; it waits for those of the other processes. *out is owned, and must
 * be destroyed before job_client_close(). */
struct error *job_client_join(struct job_client *job, const PJRT_Api *api, PJRT_Client **out);
void job_client_close(struct job_client *job);

/* Puts the object as process `process`'s under a name, and gets that of a process. *out is owned
 * (cJSON_Delete). Errors: DEADLINE_EXCEEDED when it was not put within `seconds` (it
 * must have been, if these are below 0); INVALID_ARGUMENT
 * when it is not JSON. */
struct error *job_client_put(struct job_client *job, const char *name, const cJSON *object);
struct error *job_client_get(struct job_client *job, const char *name, int process, double seconds,
                             cJSON **out);

#endif
