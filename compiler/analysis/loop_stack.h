/* loop_stack.h: stacks that a loop fills, one element an iteration, as the stacked results of a
 * scan: nothing reads what is in them before the loop. Pure functions of the IR, after fusion,
 * before and after buffer assignment. */
#ifndef GANTRY_COMPILER_ANALYSIS_LOOP_STACK_H
#define GANTRY_COMPILER_ANALYSIS_LOOP_STACK_H

#include <stdbool.h>

#include "compiler/ir/ir.h"

/* Whether a `while` of known trip count overwrites all elements of carried value `i` in place, and
 * reads none of those that it starts with. */
bool loop_stack_is_overwritten(const struct op *loop, int i);

/* Whether all that an operation, a fusion or copy, computes is what such stacks start with, so that
 * their memory may hold anything instead. */
bool loop_stack_is_unread(const struct op *op);

#endif
