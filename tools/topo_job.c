/* topo_job.c: see topo_job.h: reads a job, and prints it as text. */
#include "tools/topo_job.h"

#include "base/alloc.h"
#include "tools/topo_view.h"

/* Begins the host of a process that is the first one there. */
static void add_host(struct topo_job *job, int process)
{
    struct topo_process *p = &job->processes[process];
    const cJSON *machine = cJSON_GetObjectItem(p->machine, "machine");
    p->host = job->host_count++;
    job->hosts[p->host] =
        (struct topo_host){.name = job_machine_host(p->machine, process),
                           .bytes = topo_view_number(machine, "bytes"),
                           .cores = cJSON_GetArraySize(cJSON_GetObjectItem(machine, "cores"))};
}

static void add_process(struct topo_job *job, int process, const cJSON *machine)
{
    struct topo_process *p = &job->processes[process];
    int first = job_machine_first_near(machine, process);
    p->machine = cJSON_IsObject(machine) ? machine : NULL;
    p->listens = job_machine_listens(machine);
    p->devices = job_machine_devices(machine);
    p->first_device = job_machine_device(machine);
    if (first < process)
        p->host = job->processes[first].host;
    else
        add_host(job, process);
    job->hosts[p->host].process_count++;
    job->hosts[p->host].device_count += p->devices;
}

struct error *topo_job_read(const cJSON *machines, const char *coordinator, struct topo_job *out)
{
    const cJSON *machine;
    int count = cJSON_GetArraySize(machines), process = 0;
    *out = (struct topo_job){.coordinator = coordinator, .process_count = count};
    TRY(alloc_array((size_t)count, sizeof *out->processes, &out->processes));
    struct error *error = alloc_array((size_t)count, sizeof *out->hosts, &out->hosts);
    if (error) {
        topo_job_free(out);
        return error;
    }
    cJSON_ArrayForEach(machine, machines) add_process(out, process++, machine);
    return NULL;
}

void topo_job_free(struct topo_job *job)
{
    alloc_free(job->processes);
    alloc_free(job->hosts);
    *job = (struct topo_job){0};
}

/* ---- text ------------------------------------------------------------------------------------ */
static void print_process(const struct topo_process *p, int number, struct text *out)
{
    text_add(out, "  process %d", number);
    if (!p->machine) {
        text_add(out, ": did not report\n");
        return;
    }
    text_add(out, ": device%s %d", p->devices > 1 ? "s" : "", p->first_device);
    if (p->devices > 1)
        text_add(out, "-%d", p->first_device + p->devices - 1);
    text_add(out, ", listens at %s\n", p->listens);
}

void topo_job_text(const struct topo_job *job, struct text *out)
{
    text_add(out, "job: %d processes on %d host%s, coordinator %s\n", job->process_count,
             job->host_count, job->host_count > 1 ? "s" : "", job->coordinator);
    for (int h = 0; h < job->host_count; h++) {
        const struct topo_host *host = &job->hosts[h];
        char size[TOPO_VIEW_SIZE];
        text_add(out, "host %s: %d cores, %s, %d device%s\n", host->name, host->cores,
                 topo_view_bytes(host->bytes, size), host->device_count,
                 host->device_count == 1 ? "" : "s");
        for (int i = 0; i < job->process_count; i++)
            if (job->processes[i].host == h)
                print_process(&job->processes[i], i, out);
    }
}
