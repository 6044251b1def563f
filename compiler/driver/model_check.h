/* model_check.h: whether a program fits the accelerator that its target models. */
#ifndef GANTRY_COMPILER_DRIVER_MODEL_CHECK_H
#define GANTRY_COMPILER_DRIVER_MODEL_CHECK_H

#include "compiler/program/program.h"
#include "compiler/target.h"

/* RESOURCE_EXHAUSTED, in the words of the TPU's compiler, when the modeled plan needs more HBM than
 * the target's device memory: what is needed and available, and the largest allocations, padded and
 * unpadded, with source lines. NULL for targets that
 * model none or only plan. */
struct error *model_check(const struct program *program, const struct target *target);

#endif
