/* model_time.h: how long each group takes on the modeled accelerator. */
#ifndef GANTRY_COMPILER_MODEL_TIME_MODEL_TIME_H
#define GANTRY_COMPILER_MODEL_TIME_MODEL_TIME_H

#include "compiler/model/model_graph.h"
#include "compiler/program/model_plan.h"

/* One execution. model_memory() has run. A group with regions costs nothing itself but the
 * copies of its results: its blocks' groups do. */
struct model_cost model_time(const struct model *model, const struct model_group *group);

/* Seconds of the slowest of its units but memory, if the kernel does all of the group's operations.
 * model_fusion() has run. */
double model_time_compute(const struct model *model, const struct model_group *group);

#endif
