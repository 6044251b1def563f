/* op_units.h: how many units of each kind of work (analysis/rates.def) an operation does, counted
 * as the generated code and the libraries do it: elements of f32 for arithmetic, multiply-adds for
 * products, n^3 for factorizations. cost.h weighs decisions by them, execution_time.h turns them
 * into time. All functions are pure apart from `to`, which they only increase, and take time linear
 * in the operation's size. */
#ifndef GANTRY_COMPILER_SCHEDULE_OP_UNITS_H
#define GANTRY_COMPILER_SCHEDULE_OP_UNITS_H

#include "compiler/analysis/rates.h"
#include "compiler/ir/ir.h"

struct op_units {
    double of[RATE_COUNT]; /* by enum rate */
};

/* What generated code does for one element of the result of an elementwise operation, or of one
 * that only moves elements. */
enum rate op_units_rate(const struct op *op);

/* What an element of a narrow float is converted by, to f32 or back; of other types RATE_FREE. */
enum rate op_units_rounding(enum dtype dtype);

/* Multiply-adds of a library, of operands of a type. */
enum rate op_units_product(enum dtype dtype);

void op_units_add(struct op_units *to, enum rate rate, double units);

/* All kinds of another count, `times` as often. */
void op_units_add_times(struct op_units *to, const struct op_units *what, double times);

/* An operation in generated code that computes `times` elements of its results, which may be more
 * often than each once, or fewer. Not for control flow and fusions. */
void op_units_add_op(struct op_units *to, const struct op *op, double times);

/* The rows of an array where a loop over its elements cannot run over them as if they were one. */
void op_units_add_rows(struct op_units *to, const struct value *value);

/* The arithmetic of a dot_general or convolution that a library computes; and all of it, of a
 * fusion of one, too. */
void op_units_add_product(struct op_units *to, const struct op *product);
void op_units_add_library(struct op_units *to, const struct op *op);

/* A custom_call: transforms, factorizations of batches of matrices, the largest of rows. */
void op_units_add_call(struct op_units *to, const struct op *call);

#endif
