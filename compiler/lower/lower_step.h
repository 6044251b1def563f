/* lower_step.h: creates a step with its label, cost and slices. */
#ifndef GANTRY_COMPILER_LOWER_LOWER_STEP_H
#define GANTRY_COMPILER_LOWER_LOWER_STEP_H

#include "compiler/lower/lowerer.h"

/* A step without slices and without a plan (plan is -1): the cost is that of `op`, and the label
 * joins `name` with the location of `op`. */
struct step lower_step(const struct lowerer *l, enum step_kind kind, const char *name,
                       const struct op *op);

/* Allocates the slices and adds those of the operands and results that are tensors; operand_count
 * is set. */
void lower_step_add_values(const struct lowerer *l, struct step *step, const struct op *op);
/* Its two parts: allocates the slices, with capacity for `more` in addition to those of the
 * operands and results, and adds the operands'; adds the results'. What is added in between are
 * operands, too. */
void lower_step_add_operands(const struct lowerer *l, struct step *step, const struct op *op,
                             int more);
void lower_step_add_results(const struct lowerer *l, struct step *step, const struct op *op);

/* Appends the slice of a value; step->slices must have capacity for it. Of a value inside of
 * l->sliced, that of the array outside that it is a slice of, whose offsets are added to
 * l->offsets. */
void lower_step_add_operand(struct lowerer *l, struct step *step, const struct value *value);
/* The same of an argument of a fusion's region: of the operand with its number. */
void lower_step_add_argument(struct lowerer *l, struct step *step, const struct op *fusion,
                             const struct value *argument);
/* The same of a result; inside of l->sliced, that of the whole. */
void lower_step_add_result(const struct lowerer *l, struct step *step, const struct value *value);

/* Appends a slice; step->slices must have capacity for it. */
void lower_step_add_slice(struct step *step, const struct slice *slice);

/* False when the buffer plan gives both sides of a copy the same memory: it has no step. */
bool lower_step_copies(const struct buffer_plan *plan, const struct op *copy);
/* Whether a fusion is a step that is no kernel of its own, but may call those of fusions in it. */
bool lower_step_calls_kernels(const struct op *fusion);

/* Converts a cost of cost.h to that of a step: rounded, at most 10^15. */
int64_t lower_step_cost(double cost);

#endif
