/* constants.h: the values of constants. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_CONSTANTS_H
#define GANTRY_COMPILER_ANALYSIS_CONSTANTS_H

#include "compiler/ir/ir.h"

/* The literal of a value that is defined by a constant; NULL for other values. */
const struct literal *constants_literal(const struct value *value);

/* Reads an integer constant with one element; false for other values, and *out is unchanged. */
bool constants_integer(const struct value *value, int64_t *out);

/* A start index, one integer, as operations use it: clamped to [0, last]. */
int64_t constants_start(const struct literal *index, int64_t last);

/* All elements of an integer constant, or of reshapes and widening conversions of one; NULL for
 * other values. In the module's arena; `count` may be NULL. */
const int64_t *constants_integers(struct module *module, const struct value *value, int64_t *count);
/* Whether each of the integers, any numbers, is the one before it plus 1. False for none. */
bool constants_are_consecutive(const int64_t *integers, int64_t count);

/* True for a constant that is stored as one element, which is that of all positions. */
bool constants_is_splat(const struct value *value);
/* True for a constant all of whose elements are `number`. */
bool constants_is_splat_of(const struct value *value, double number);

#endif
