/* exact_conversion.h: which conversions and differences keep every number of an array, by its type
 * and by how it is computed: masks, constants, conversions of fewer bits. Pure functions of the IR,
 * of bounded time. */
#ifndef GANTRY_COMPILER_SCHEDULE_EXACT_CONVERSION_H
#define GANTRY_COMPILER_SCHEDULE_EXACT_CONVERSION_H

#include "compiler/ir/ir.h"

/* Operations that are followed; both operands of one with two, for a quarter of what is left. */
enum { EXACT_CONVERSION_STEPS = 16 };

/* Whether a type has every number of an array. */
bool exact_conversion_is(const struct value *value, enum dtype to);

/* Whether differences, the results of a subtraction, do not wrap around; true for floats. */
bool exact_conversion_difference(const struct op *subtract);

#endif
