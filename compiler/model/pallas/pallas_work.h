/* pallas_work.h: how long operations of a Pallas kernel keep the units of a core busy, and how long
 * their results take. A core issues a bundle of instructions each cycle, with slots for each unit;
 * an instruction works on a register of 8 x 128 elements of 32 bits (narrower ones packed).
 * Straight code takes as long as its busiest unit, or as its longest chain of operations that wait
 * for each other; the caller follows these chains. */
#ifndef GANTRY_COMPILER_MODEL_PALLAS_PALLAS_WORK_H
#define GANTRY_COMPILER_MODEL_PALLAS_PALLAS_WORK_H

#include "compiler/accelerator.h"
#include "compiler/kernel_ir/kernel_ir.h"
#include "compiler/model/pallas/pallas_lanes.h"

enum pallas_unit {
    PALLAS_SCALAR,
    PALLAS_LOAD, /* between registers and VMEM */
    PALLAS_STORE,
    PALLAS_ARITHMETIC,
    PALLAS_SPECIAL, /* exp, log, reciprocals and the like */
    PALLAS_SHUFFLE, /* across lanes: transposes, reductions, rotations */
    PALLAS_MATRIX,
    PALLAS_UNITS
};

struct pallas_work {            /* of one core */
    double busy[PALLAS_UNITS];  /* cycles */
    double first[PALLAS_UNITS]; /* when a unit has its first operands; counts where it is busy */
    double flops;               /* of products: multiply-adds count as two */
};

/* Adds an operation without regions that moves no data between memories. `lanes`: as
 * pallas_lanes(). `begin`: when its operands are there. The latency: cycles from then to the
 * first register of its result. */
double pallas_work_add(struct pallas_work *work, const struct accelerator *accelerator,
                       const struct kernel_op *op, const enum pallas_lanes *lanes, double begin);
/* Cycles by which an operand must be there earlier than the others. */
double pallas_work_operand_latency(const struct kernel_op *op, int operand);
/* Adds all of `part`, `times` times. */
void pallas_work_sum(struct pallas_work *work, const struct pallas_work *part, double times);

/* Cycles of straight code whose longest chain takes `path`: of each unit, those until it can begin,
 * those in which it is busy, and those until its last result is there. */
double pallas_work_cycles(const struct pallas_work *work, double path);
/* Of these, cycles in which the vector unit (loads, stores, arithmetic) is busy. */
double pallas_work_vector(const struct pallas_work *work);

#endif
