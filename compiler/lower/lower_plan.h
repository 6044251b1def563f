/* lower_plan.h: programs that are compiled for their plan alone (`gantry plan --tpu`): the modeled
 * accelerator's plan, parameters and results, without steps and buffers, which would be those of
 * the host's cores. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_PLAN_H
#define GANTRY_COMPILER_LOWER_LOWER_PLAN_H

#include "compiler/lower/lower.h"

/* Whether the model's plan is all that the target needs of the module: the target plans only, and
 * every value is in device memory. The model does not plan the use of host memory, which is known
 * once buffers are assigned. Linear in the module. */
bool lower_plan_suffices(const struct module *module, const struct target *target);

/* Sets the name, parameters and results of out->program, in the arena; nothing else. */
void lower_plan(struct module *module, const struct target *target, struct lowered *out);

#endif
