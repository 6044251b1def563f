/* topology_exchange.h: how the processes of a job find each other. Every process puts a description
 * of itself into the store, process 0 collects them and puts the description of the job, which all
 * get:
 *
 *   local_topology/<platform>/<generation>/<process>
 *   global_topology/<platform>/<generation>          without a job: {"failure": TEXT, "code": N}
 *
 * The generation is 0 for the first client of a process, 1 for the next one, and so on. Values are
 * JSON, checked like any foreign bytes. The job has a random token, by which its processes
 * recognize each other's messages. Thread-safe. */
#ifndef GANTRY_RUNTIME_TOPOLOGY_EXCHANGE_H
#define GANTRY_RUNTIME_TOPOLOGY_EXCHANGE_H

#include <stdbool.h>

#include "devices/host/net/net_message.h"
#include "runtime/key_value_store.h"

enum { TOPOLOGY_MAX_PROCESSES = 1 << 16, TOPOLOGY_MAX_DEVICES = 1 << 16 /* of a process */ };

struct topology_process { /* texts and address are owned by the topology_job */
    char *host, *boot, *build;
    void *address;
    size_t address_size;
    int devices;
    int features; /* cpu_feature_bits() */
    int flushes;  /* 1: programs flush denormals; 0: they keep them */
};

struct topology_job {
    int count;
    struct topology_process *processes; /* owned */
    uint8_t token[NET_TOKEN];
};

/* Fills all but address and devices of this process; owned as above: topology_process_free(). */
struct error *topology_process_describe(struct topology_process *out);
void topology_process_free(struct topology_process *process);

/* Takes part as process `process` of `count`. *out is owned: topology_job_free(). Errors:
 * DEADLINE_EXCEEDED after GANTRY_TOPOLOGY_TIMEOUT seconds, naming the processes that are missing;
 * FAILED_PRECONDITION when a process has another build of Gantry, or another floating-point mode or
 * other instruction sets, which would give other bits; INVALID_ARGUMENT for values that
 * are no descriptions. */
struct error *topology_exchange(const struct key_value_store *store, const char *platform,
                                int process, int count, const struct topology_process *self,
                                struct topology_job *out);
void topology_job_free(struct topology_job *job);

/* Reads the description of a job. For topology_exchange() and its fuzz target. */
struct error *topology_job_read(const char *text, size_t size, int count, struct topology_job *out);

#endif
