/* moves.h: expressions that compute nothing with the elements they store. These stay what they are
 * in memory, also where they are selected: small floats are not decoded and rounded again, complex
 * numbers are not taken apart. */
#ifndef GANTRY_COMPILER_SCHEDULE_MOVES_H
#define GANTRY_COMPILER_SCHEDULE_MOVES_H

#include "compiler/ir/ir.h"

/* Whether a value's elements are those of arguments or constants, unchanged, and of a type that may
 * stay bits (moves_has_bits()). Where they come from may be computed, with integers and
 * booleans. */
bool moves_bits(const struct value *value);
/* Whether elements of a type, while they are only moved, are best integers of their size. */
bool moves_has_bits(enum dtype dtype);

#endif
