/* topo_job.h: the processes and hosts of a job, for gantry topo: what each process says of its
 * machine (job_machine.h), parsed for display. Not thread-safe. */
#ifndef GANTRY_TOOLS_TOPO_JOB_H
#define GANTRY_TOOLS_TOPO_JOB_H

#include "base/text.h"
#include "tools/job_machine.h"

struct topo_process {
    const cJSON *machine; /* borrowed; NULL: it did not report */
    const char *listens;  /* borrowed */
    int host, devices, first_device;
};

struct topo_host {
    const char *name; /* borrowed */
    double bytes;     /* of its memory */
    int cores, process_count, device_count;
};

struct topo_job {
    const char *coordinator; /* borrowed */
    int process_count, host_count;
    struct topo_process *processes; /* owned, like the next one; by number */
    struct topo_host *hosts;        /* in the order of their first processes */
};

/* `machines`: an array with the machine of each process, or null. *out is owned:
 * topo_job_free(). */
struct error *topo_job_read(const cJSON *machines, const char *coordinator, struct topo_job *out);
void topo_job_free(struct topo_job *job);

/* Print the job as text or as an SVG picture. */
void topo_job_text(const struct topo_job *job, struct text *out);
void topo_job_svg(const struct topo_job *job, struct text *out);

#endif
