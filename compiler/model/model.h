/* model.h: what a modeled accelerator would do with a module: memory, time, operations. Reads the
 * module as it is after SPMD partitioning and before the passes of the host that executes it. */
#ifndef GANTRY_COMPILER_MODEL_MODEL_H
#define GANTRY_COMPILER_MODEL_MODEL_H

#include "compiler/ir/ir.h"
#include "compiler/program/model_plan.h"
#include "compiler/target.h"

/* A pass: sets module->model, in the module's arena, if the target models an accelerator, after
 * removing what is computed twice or not used and writing each all_reduce of which participants use
 * parts as a reduce_scatter; changes nothing else. Linear in the program's size,
 * but for sorting. */
struct error *model_run(struct module *module, const struct target *target);

#endif
