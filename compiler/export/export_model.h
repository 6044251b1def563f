/* export_model.h: exports what a modeled accelerator would execute (model_plan.h) as an HLO module:
 * an instruction for each of the plan's operations and loops, without their data flow, which the
 * plan does not have. Call inside arena_run(). */
#ifndef GANTRY_COMPILER_EXPORT_EXPORT_MODEL_H
#define GANTRY_COMPILER_EXPORT_EXPORT_MODEL_H

#include "base/proto.h"
#include "compiler/accelerator.h"
#include "compiler/program/program.h"

/* The names of the instructions, in the arena: of operation `index`; of the end of an asynchronous
 * one that kernels wait for, such as "copy-done.5"; and of loop `index`. */
const char *export_model_operation(struct arena *arena, const struct model_plan *plan,
                                   uint64_t index);
const char *export_model_wait(struct arena *arena, const struct model_plan *plan, uint64_t index);
const char *export_model_loop(struct arena *arena, const struct model_plan *plan, uint64_t index);

/* Adds the fields of an HloProto: the module, with that name and id, and the memory of HBM:
 * arguments, results, and the largest temporaries when most is in use. The program has a model. */
void export_model(struct proto *to, const struct program *program,
                  const struct accelerator *accelerator, const char *name, int64_t id);

#endif
