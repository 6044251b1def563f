/* pipeline.h: the passes of a compilation, in their order: a table with the states of the module
 * (passes/states.h) that each of them needs, gives and breaks, and the targets that it is for. */
#ifndef GANTRY_COMPILER_DRIVER_PIPELINE_H
#define GANTRY_COMPILER_DRIVER_PIPELINE_H

#include <stddef.h>

#include "base/error.h"
#include "compiler/driver/budget.h"
#include "compiler/driver/dump.h"
#include "compiler/ir/ir.h"
#include "compiler/target.h"

enum { PIPELINE_MAX = 128 }; /* passes */

/* Runs all passes that apply, and dumps the module as it was read and after each of them. What a
 * pass changed is verified, and stays within the budget. Ends with the model where its plan is all
 * that the target needs (lower_plan.h). Errors: those of the passes; INTERNAL,
 * with the pass's name, where the verifier finds a fault. */
struct error *pipeline_run(struct module *module, const struct target *target,
                           const struct budget *budget, struct dump *dump);

/* The passes' names, in order; some are there several times. Returns how many there are, at most
 * PIPELINE_MAX; writes at most `capacity`. Static strings; thread-safe. */
size_t pipeline_passes(const char **names, size_t capacity);

#endif
