#include "tools/job_machine.h"

#include "tools/topo_view.h"

struct error *job_machine_read(const PJRT_Api *api, PJRT_Client *client, cJSON **out)
{
    const PJRT_Gantry_Extension *gantry;
    PJRT_Gantry_Machine_Args args = {.struct_size = PJRT_Gantry_Machine_Args_STRUCT_SIZE,
                                     .client = client};
    *out = NULL;
    TRY(abi_gantry(api, &gantry));
    TRY(abi_error(api, gantry->machine(&args)));
    *out = cJSON_ParseWithLength(args.json.text, args.json.size);
    args.json.deleter(args.json.holder);
    return *out ? NULL
                : ERROR(INVALID_ARGUMENT,
                        "the plugin's description of the machine is not valid JSON");
}

static const cJSON *job_of(const cJSON *machine)
{
    return cJSON_GetObjectItem(machine, "job");
}

static const cJSON *process_of(const cJSON *machine, int process)
{
    return cJSON_GetArrayItem(cJSON_GetObjectItem(job_of(machine), "processes"), process);
}

const char *job_machine_host(const cJSON *machine, int process)
{
    const char *host = topo_view_text(process_of(machine, process), "host");
    return *host ? host : "?";
}

const char *job_machine_listens(const cJSON *machine)
{
    return topo_view_text(job_of(machine), "listens");
}

int job_machine_devices(const cJSON *machine)
{
    return cJSON_GetArraySize(cJSON_GetObjectItem(machine, "devices"));
}

int job_machine_device(const cJSON *machine)
{
    return (int)topo_view_number(cJSON_GetArrayItem(cJSON_GetObjectItem(machine, "devices"), 0),
                                 "id");
}

bool job_machine_is_near(const cJSON *machine, int process)
{
    return topo_view_truth(process_of(machine, process), "near");
}

bool job_machine_reads(const cJSON *machine, int process)
{
    return topo_view_truth(process_of(machine, process), "reads_memory");
}

int job_machine_first_near(const cJSON *machine, int process)
{
    const cJSON *item;
    int i = 0;
    cJSON_ArrayForEach(item, cJSON_GetObjectItem(job_of(machine), "processes"))
    {
        if (i >= process || topo_view_truth(item, "near"))
            break;
        i++;
    }
    return i < process ? i : process;
}
