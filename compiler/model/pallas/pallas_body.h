/* pallas_body.h: the time that one step of a Pallas kernel takes: its operations in order, with the
 * branches and trip counts that follow from the step's indices, and with the DMAs that the kernel
 * starts itself, which run beside it. Times are cycles of one core. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_BODY_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_BODY_H

#include "compiler/model/pallas/pallas_scalars.h"
#include "compiler/model/pallas/pallas_work.h"

enum { PALLAS_MAX_COPIES = 64 }; /* under way at once; more are not waited for */

enum { PALLAS_ANY_SLOT = -1 }; /* not known to libtpu's profiles */

struct pallas_copy { /* that the kernel has started */
    int semaphore;   /* id of the value that it signals, without views */
    int64_t slot;    /* of an array of semaphores, or PALLAS_ANY_SLOT */
    double done;
};

struct pallas_body {
    const struct accelerator *accelerator;
    struct pallas_scalars scalars;  /* the indices of the step are set by the caller */
    const enum pallas_lanes *lanes; /* as pallas_lanes() */
    int *roots;                     /* by id: the value that a view is of */
    int64_t *slots;                 /* by id: the element of an array that a view begins with */
    double *ready; /* by id: when its first register is there; of a reference, the last store */
    double now;
    double path;              /* when all that began since `now` is there */
    struct pallas_work work;  /* since `now` */
    struct pallas_work total; /* before it */
    struct pallas_copy copies[PALLAS_MAX_COPIES];
    int copy_count;
    double copied_bytes, remote_bytes; /* by DMAs of the kernel */
    double waited;                     /* cycles in which it waits for them */
    int depth;                         /* of loops */
    int64_t visited;                   /* operations of this run */
    bool has_unknown_trips;            /* of a loop, taken as 1 */
};

struct pallas_body pallas_body(struct arena *arena, const struct accelerator *accelerator,
                               const struct kernel *kernel);

/* Cycles of a copy of an array to or from HBM; `space`: of the side that is not HBM. */
double pallas_body_copy_cycles(const struct accelerator *accelerator, enum kernel_space space,
                               bool is_output, double bytes);

/* Runs the kernel's operations once: `now` and the sums advance. At most eight iterations of a
 * loop are run, fewer of deep loops, and one once many operations have been visited, so the time is
 * linear in the kernel's size times the depth of its loops. */
void pallas_body_run(struct pallas_body *body, const struct kernel *kernel);

#endif
