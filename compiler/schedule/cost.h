/* cost.h: the cost model of the compiler's decisions (fusion, tiers of kernels, partitioning of
 * work), of which the table of rates (analysis/rates.def) is the one scale: operations, on which
 * code and its compilation depend, and time. Times are those of ISA_WIDE, whatever the machine has,
 * so that decisions are the same everywhere. Pure functions of an operation, its attributes and
 * types. The results of programs never depend on costs. */
#ifndef GANTRY_COMPILER_SCHEDULE_COST_H
#define GANTRY_COMPILER_SCHEDULE_COST_H

#include "compiler/analysis/rates.h"
#include "compiler/ir/ir.h"

/* Time: multiples of what reading 4 bytes from the second-level cache takes. Of units of work, and
 * of one element of the result, for which a reduce reads several of its input. */
double cost_time(enum rate rate, double units);
double cost_time_of_element(const struct op *op);

/* Operations, of which an addition is one, for one element of the result, or of the input of a
 * reduce. */
double cost_of_element(const struct op *op);
/* Of an operation or block, regions included. A fusion costs its arithmetic or bytes moved / 4,
 * whichever is more; a loop with an unknown trip count costs PROGRAM_UNKNOWN_TRIP_COUNT
 * iterations. */
double cost_of_op(const struct op *op);
double cost_of_block(const struct block *block);
/* The cost of one iteration of a while. */
double cost_of_iteration(const struct op *loop);
/* cost_of_block() without the copies that are free: after buffer assignment most copies have the
 * same memory on both sides. */
typedef bool cost_is_free(const void *context, const struct op *copy);
double cost_of_block_but(const struct block *block, cost_is_free *is_free, const void *context);

#endif
