/* cost_analysis.h: the cost that is reported to clients (struct cost_analysis in program.h): flops,
 * transcendentals and bytes accessed, as defined by XLA. The compiler's decisions use cost.h. */
#ifndef GANTRY_COMPILER_ANALYSIS_COST_ANALYSIS_H
#define GANTRY_COMPILER_ANALYSIS_COST_ANALYSIS_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* Adds the cost of an operation, including its regions, to *to. */
void cost_analysis_add(const struct op *op, struct cost_analysis *to);

#endif
