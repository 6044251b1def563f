/* constants.h: which values are constants, and which. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_CONSTANTS_H
#define GANTRY_COMPILER_ANALYSIS_CONSTANTS_H

#include "compiler/ir/ir.h"

/* The literal of a value that a constant defines; else NULL. */
const struct literal *constants_literal(const struct value *value);

/* The value of an integer constant with one element; else false, and *out is unchanged. */
bool constants_integer(const struct value *value, int64_t *out);

/* All elements of an integer constant, also behind reshapes and widening conversions; NULL when
 * the value is not constant. In the module's arena; *count may be NULL. */
const int64_t *constants_integers(struct module *module, const struct value *value, int64_t *count);

/* True for a constant all of whose elements are `number`. */
bool constants_is_splat_of(const struct value *value, double number);

#endif
