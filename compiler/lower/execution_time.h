/* execution_time.h: how long one execution of a program is expected to take on the host: the sum
 * over its steps of the launch and of arithmetic or traffic, whichever takes longer (analysis/
 * rates.h). What clients and `gantry plan` report; and for each kernel, the cost from which its
 * work is partitioned over threads. */
#ifndef GANTRY_COMPILER_LOWER_EXECUTION_TIME_H
#define GANTRY_COMPILER_LOWER_EXECUTION_TIME_H

#include "compiler/lower/lowerer.h"

/* Seconds. `main` is the entry function's body after buffer assignment. Loops count as often as
 * they run, those of unknown trip count EXECUTION_TIME_TRIPS times; branches count as the one that
 * takes longest. At most EXECUTION_TIME_MAX. Linear in the program's size. Overwrites op->note
 * inside fusions. */
double execution_time(const struct lowerer *l, const struct block *main);

/* The cost of a fusion's step (program.h) by its time on one core: the multiple of the time in
 * which 4 bytes are read from memory or written to it. Overwrites op->note inside the fusion. */
double execution_time_cost(const struct lowerer *l, const struct op *fusion);

enum { EXECUTION_TIME_TRIPS = 3, EXECUTION_TIME_MAX = 1000000000 };

#endif
