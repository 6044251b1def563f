/* job_program.h: the programs by which a job measures its network, on one device each of some of
 * its processes. One call at a time. */
#ifndef GANTRY_TOOLS_JOB_PROGRAM_H
#define GANTRY_TOOLS_JOB_PROGRAM_H

#include "tools/abi.h"

struct job_program {
    const PJRT_Api *api;
    PJRT_Client *client;
    PJRT_Device *device; /* of this process */
    PJRT_LoadedExecutable *executable;
    PJRT_Buffer *argument;
    int64_t elements; /* f32 of the argument */
};

enum job_program_kind {
    JOB_SUM,   /* of all devices' arguments */
    JOB_TURNS, /* JOB_TURNS_COUNT times, the first device's argument goes to the second and back */
    JOB_SEND /* the first device's argument goes to the second one, whose first element goes back */
};
enum { JOB_TURNS_COUNT = 100 };

/* Compiles a program for the devices with these ids, of which one is this process's, and uploads
 * its argument: `elements` (1 of JOB_SUM and JOB_TURNS) that are all `value`. */
struct error *job_program_open(const PJRT_Api *api, PJRT_Client *client, enum job_program_kind kind,
                               const int *ids, int count, int64_t elements, float value,
                               struct job_program *out);
/* Executes it some times. *seconds: of the fastest; *first: the first element of its result. */
struct error *job_program_time(struct job_program *program, int times, double *seconds,
                               float *first);
void job_program_close(struct job_program *program);

#endif
