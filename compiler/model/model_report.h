/* model_report.h: writes the plan of a model that is complete. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_REPORT_H
#define GANTRY_COMPILER_MODEL_MODEL_REPORT_H

#include "compiler/model/model_graph.h"
#include "compiler/program/model_plan.h"

/* Adds times, operations, largest values and totals to the plan; returns it as one block of memory,
 * in the arena. */
struct model_plan *model_report(const struct model *model, struct model_plan *plan);

#endif
