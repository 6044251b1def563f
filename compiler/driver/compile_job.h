/* compile_job.h: one call of the compiler: its inputs, its arena and its result. The job owns
 * copies of its inputs, because it may outlast the call: an interrupted client does not wait for
 * it. */
#ifndef GANTRY_COMPILER_DRIVER_COMPILE_JOB_H
#define GANTRY_COMPILER_DRIVER_COMPILE_JOB_H

#include "compiler/analysis/module_outline.h"
#include "compiler/driver/compile_source.h"
#include "compiler/program/auto_plan.h"
#include "compiler/program/program.h"
#include "compiler/target.h"

struct compile_job;
typedef struct error *compile_job_function(struct compile_job *job);

struct compile_job {
    struct compile_source source; /* in the arena */
    struct target target;
    struct arena *arena;           /* owned */
    compile_job_function *body;    /* sets `program` */
    struct program *program;       /* the result; owned */
    struct module_outline outline; /* the source's points to it, */
    struct auto_plan auto_plan;    /* and to this */
};

/* Runs body(job) on a compile thread (compile_thread.h) and moves the program that it sets to *out,
 * owned. Errors: those of body; RESOURCE_EXHAUSTED; CANCELLED when the client is interrupted.
 * Thread-safe. */
struct error *compile_job_run(const struct compile_source *source /*borrowed for the call*/,
                              const struct target *target /*borrowed for the call*/,
                              compile_job_function *body, struct program **out);

#endif
