/* cost.h: what operations cost, in rough scalar operations (an addition of one element is 1; see
 * program.h). Pure functions of an operation, its attributes and types. Passes weigh with these
 * numbers; results never depend on them. */
#ifndef GANTRY_COMPILER_ANALYSIS_COST_H
#define GANTRY_COMPILER_ANALYSIS_COST_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* Cost of one element of the result; loads and index arithmetic of OP_INDEXED operations are 1.
 * For a reduce: of one element of the input. */
double cost_of_element(const struct op *op);

/* A whole operation: arithmetic, or bytes moved / 4, whichever is more. Regions included; a loop
 * whose trip count is not visible counts as COST_UNKNOWN_TRIPS iterations. */
double cost_of_op(const struct op *op);
double cost_of_block(const struct block *block);
enum { COST_UNKNOWN_TRIPS = 16 };

/* Number of iterations of `while` when it counts from a constant by a constant to a constant,
 * else -1. The counter does not wrap around on the way. */
int64_t cost_trip_count(const struct op *loop);
/* Whether the trip counts of all loops in the block, however deep, are known. */
bool cost_is_bounded(const struct block *block);

/* Adds an operation, regions included, to what is reported to clients. */
void cost_analyse(const struct op *op, struct cost_analysis *to);

/* Multiply-adds of a dot_general or convolution. */
double cost_multiply_adds(const struct op *op);

#endif
