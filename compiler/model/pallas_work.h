/* pallas_work.h: how long operations of a Pallas kernel keep the units of a core busy. A core
 * issues a bundle of instructions each cycle, with slots for each unit; an instruction works on a
 * register of 8 x 128 elements of 32 bits (narrower ones packed). Straight code takes as long as
 * its busiest unit, and the latency of its longest operation. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_WORK_H
#define GANTRY_COMPILER_MODEL_PALLAS_WORK_H

#include "compiler/accelerator.h"
#include "compiler/kernel_ir/kernel_ir.h"

struct pallas_work { /* cycles, of one core */
    double scalar;
    double load, store; /* between registers and VMEM */
    double vector;      /* arithmetic */
    double special;     /* exp, log, reciprocals and the like */
    double shuffle;     /* across lanes and sublanes: transposes, reductions, rotations */
    double matrix;      /* matrix units */
    double latency;     /* until the last result of the slowest operation is there */
    double flops;       /* of products: multiply-adds count as two; not cycles */
};

/* Adds an operation without regions that moves no data between memories. */
void pallas_work_add(struct pallas_work *work, const struct accelerator *accelerator,
                     const struct kernel_op *op);
/* Adds all of `part`, `times` times. */
void pallas_work_sum(struct pallas_work *work, const struct pallas_work *part, double times);

/* Cycles of straight code. */
double pallas_work_cycles(const struct pallas_work *work);
/* Of these, cycles in which the vector unit (loads, stores, arithmetic) is busy. */
double pallas_work_vector(const struct pallas_work *work);

#endif
