/* auto_planner.h: the pass auto_sharding: automatic sharding (passes/spmd/auto/auto_sharding.h)
 * with plans of the model of the target's accelerator. Targets that model none, devices on the
 * host's cores, are planned with the rates of the cores. At the top of the compiler, because a plan
 * is most of the pipeline. */
#ifndef GANTRY_COMPILER_DRIVER_AUTO_PLANNER_H
#define GANTRY_COMPILER_DRIVER_AUTO_PLANNER_H

#include "compiler/ir/ir.h"
#include "compiler/target.h"

/* Requires the state FLAT and module->auto_request. Errors: those of auto_sharding_run(). */
struct error *auto_planner_run(struct module *module, const struct target *target);

#endif
