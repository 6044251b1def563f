/* cost.h: the weights by which passes decide (fusion, tiers of kernels, partitioning of work): what
 * operations cost, in rough scalar operations (an addition of one element is 1). Pure functions of
 * an operation, its attributes and types. Values that a program computes never depend on them. */
#ifndef GANTRY_COMPILER_ANALYSIS_COST_H
#define GANTRY_COMPILER_ANALYSIS_COST_H

#include "compiler/ir/ir.h"

/* Cost of one element of the result; loads and index arithmetic of OP_INDEXED operations are 1.
 * For a reduce: of one element of the input. */
double cost_of_element(const struct op *op);

/* A whole operation: arithmetic, or bytes moved / 4, whichever is more. Regions included; a loop
 * whose trip count is unknown counts as COST_UNKNOWN_TRIP_COUNT iterations. */
double cost_of_op(const struct op *op);
double cost_of_block(const struct block *block);
enum { COST_UNKNOWN_TRIP_COUNT = 16 };

#endif
