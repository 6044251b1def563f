/* arithmetic.h: how much an expression computes for an element, and how wide its numbers are. Pure
 * functions of the IR. */
#ifndef GANTRY_COMPILER_SCHEDULE_ARITHMETIC_H
#define GANTRY_COMPILER_SCHEDULE_ARITHMETIC_H

#include "compiler/ir/ir.h"

/* An estimate of the arithmetic operations needed for one element of a value, without the loops
 * inside it. */
int arithmetic_weight(const struct value *value);
/* Whether each operation of an expression, the loops inside it included, takes a few instructions:
 * there are no functions like exp. */
bool arithmetic_is_light(const struct value *value);
/* Whether an expression converts from or to floats of at most 8 bits, or might: each takes many
 * instructions. */
bool arithmetic_converts_tiny(const struct value *value);
/* Whether an expression has, beside operations of a few instructions on elements, only broadcasts
 * and reductions of one operand: an argument, or an argument times a broadcast of another (a vector
 * times a matrix), with elements of at least 4 bytes. Nothing but accumulators needs registers in
 * their loops. */
bool arithmetic_is_plain_sum(const struct value *value);
/* The size in bytes of the widest element type that an expression computes with. */
int arithmetic_widest(const struct value *value);

#endif
