/* pallas_grid.h: the time of a whole Pallas kernel: the steps of its grid one after the other, with
 * the copies of blocks between HBM and VMEM that run beside them. A step waits for its input
 * blocks, which were started a step before, computes, and starts the copies of output blocks that
 * it leaves, after those of the step before have ended; in synchronous windows nothing runs ahead.
 */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_GRID_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_GRID_H

#include "compiler/model/pallas/pallas_windows.h"

enum { PALLAS_SHOWN_STEPS = 16 };

struct pallas_step { /* of the grid; cycles after the kernel's begin */
    double begin;
    double ready;    /* its blocks are there */
    double computed; /* its outputs are in VMEM */
    double end;
};

struct pallas_grid {
    double cycles, seconds; /* seconds: also at least those of the bytes that are moved */
    double steps;           /* of one core */
    double hbm_bytes;       /* read and written, of all cores together */
    double remote_bytes;    /* sent to other devices */
    double flops;           /* of products, of all cores */
    double matrix, vector;  /* cycles in which these units of a core are busy */
    double waited;          /* cycles in which a core waits for copies */
    bool is_exact;          /* no bound and no trip count is unknown */
    int shown;              /* the first steps */
    struct pallas_step first[PALLAS_SHOWN_STEPS];
};

struct pallas_grid pallas_grid(struct arena *arena, const struct accelerator *accelerator,
                               const struct kernel *kernel, const struct pallas_windows *windows);

#endif
