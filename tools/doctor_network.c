/* doctor_network.c: see doctor_network.h: measures, and finds problems. */
#include "tools/doctor_network.h"

#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "tools/doctor.h"
#include "tools/job_network.h"
#include "tools/session.h"
#include "tools/topo_view.h"

/* Seconds after which a message that does not come is an error, unless the variable is set. */
#define COLLECTIVE_TIMEOUT "20"

static const char firewall[] =
    "processes listen on ports that the system chooses: the hosts of a job must reach each other "
    "on all ports (firewall, NetworkPolicy, security group). UCX_NET_DEVICES=eth1 chooses the "
    "interface",
                  memory[] =
                      "bytes go over TCP, at a fraction of the speed. Processes may read each "
                      "other's memory when they have the same user, no seccomp filter forbids "
                      "process_vm_readv, and /proc/sys/kernel/yama/ptrace_scope is 0, or 1 with "
                      "GANTRY_PTRACER=launcher";

static struct error *measure(struct job_client *job, const char *plugin, cJSON *report,
                             cJSON *network)
{
    struct session session = {.plugin_path = plugin};
    double start = session_seconds();
    struct error *error = session_load(&session);
    if (!error) {
        cJSON_AddItemToArray(cJSON_AddArrayToObject(report, "plugins"), cJSON_CreateObject());
        error = job_client_open(job);
    }
    if (!error)
        error = job_client_join(job, session.plugin.api, &session.client);
    if (!error && !job->process)
        cJSON_AddNumberToObject(network, "formed_seconds", session_seconds() - start);
    if (!error)
        error = job_network_measure(job, session.plugin.api, session.client, network);
    session_close(&session);
    job_client_close(job);
    return error;
}

/* ---- problems -------------------------------------------------------------------------------- */
static int first_here(const cJSON *network, const cJSON *pair, const char *end)
{
    const cJSON *process = cJSON_GetArrayItem(cJSON_GetObjectItem(network, "processes"),
                                              (int)topo_view_number(pair, end));
    return (int)topo_view_number(process, "first_here");
}

/* One problem for all pairs that fail, which the matrix shows. */
static void find_failed_pairs(cJSON *report, const cJSON *pairs)
{
    const cJSON *pair, *first = NULL;
    int failed = 0;
    cJSON_ArrayForEach(pair, pairs) if (cJSON_GetObjectItem(pair, "error"))
    {
        first = first ? first : pair;
        failed++;
    }
    if (first)
        doctor_problem(report, DOCTOR_ERROR, firewall,
                       "%d of %d pairs do not work; from process %d to process %d: %s", failed,
                       cJSON_GetArraySize(pairs), (int)topo_view_number(first, "from"),
                       (int)topo_view_number(first, "to"), topo_view_text(first, "error"));
}

static void find_refused_memory(cJSON *report, const cJSON *network)
{
    const cJSON *pair;
    cJSON_ArrayForEach(pair, cJSON_GetObjectItem(network, "pairs"))
    {
        if (strcmp(topo_view_text(pair, "by"), "tcp") ||
            first_here(network, pair, "from") != first_here(network, pair, "to"))
            continue;
        doctor_problem(report, DOCTOR_NOTE, memory,
                       "process %d may not read the memory of process %d on the same machine",
                       (int)topo_view_number(pair, "to"), (int)topo_view_number(pair, "from"));
        return;
    }
}

static void find_problems(cJSON *report, const cJSON *network, struct error *error)
{
    const cJSON *process;
    const char *all = topo_view_text(cJSON_GetObjectItem(network, "all"), "error");
    if (error)
        doctor_problem(report, DOCTOR_ERROR, "see docs/several_hosts.md", "%s",
                       error_message(error, NULL));
    if (*all)
        doctor_problem(report, DOCTOR_ERROR, firewall, "a sum over all processes: %s", all);
    cJSON_ArrayForEach(process, cJSON_GetObjectItem(network, "processes"))
    {
        const char *reason = topo_view_text(process, "error");
        if (*reason)
            doctor_problem(report, DOCTOR_ERROR, firewall, "process %d: %s",
                           (int)topo_view_number(process, "number"), reason);
    }
    find_failed_pairs(report, cJSON_GetObjectItem(network, "pairs"));
    find_refused_memory(report, network);
}

void doctor_network(struct job_client *job, const char *plugin, cJSON *report)
{
    cJSON *network = cJSON_AddObjectToObject(report, "network");
    setenv(env_name(ENV_GANTRY_COLLECTIVE_TIMEOUT), COLLECTIVE_TIMEOUT, 0);
    cJSON_AddNumberToObject(network, "count", job->count);
    cJSON_AddStringToObject(network, "coordinator", job->coordinator);
    struct error *error = measure(job, plugin, report, network);
    find_problems(report, network, error);
    error_free(error);
}
