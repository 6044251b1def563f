/* inline.h: inlines all calls and composites, and removes futures, optimization barriers, and
 * tuples that are only unpacked. A composite is replaced by its decomposition, except chlo.erf of a
 * float, which becomes `erf`. Afterwards the module contains only the entry and the functions that
 * custom_calls reference.
 *
 * In a program of one partition, constraints and boundaries of manual computations are removed,
 * too; in other programs only those in reducers, and a constraint without uses becomes one of its
 * operand's definition. Errors: INVALID_ARGUMENT for recursion and for manual computations over
 * several devices in one partition, RESOURCE_EXHAUSTED if the program
 * would exceed module->operation_limit. */
#ifndef GANTRY_COMPILER_PASSES_CLEANUP_INLINE_H
#define GANTRY_COMPILER_PASSES_CLEANUP_INLINE_H

#include "compiler/ir/ir.h"

enum { INLINE_MAX_DEPTH = 1000 }; /* of calls within one another */

struct target;
struct error *inline_run(struct module *module, const struct target *target);

/* Removes the optimization barriers, which inline_run() leaves in programs for a modeled
 * accelerator: its compiler computes again what is behind them (`jax.checkpoint`). */
struct error *inline_barriers_run(struct module *module, const struct target *target);

#endif
