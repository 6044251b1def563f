/* comparator.h: what the comparator of a sort compares. It has two arguments for each operand, an
 * element of the left side and one of the right side. Pure functions of the IR. */
#ifndef GANTRY_COMPILER_ANALYSIS_COMPARATOR_H
#define GANTRY_COMPILER_ANALYSIS_COMPARATOR_H

#include "compiler/ir/ir.h"

/* The comparison with LT or GT that `value`, in the comparator's body, is: both sides are the same
 * expression, of left arguments on the left and of right arguments on the right, and not complex.
 * NULL: it is none. */
const struct op *comparator_by_key(const struct block *body, const struct value *value);

/* A comparator by several keys: the first decides, and where it is equal the others do. */
struct comparator_keys {
    const struct op *first;   /* comparator_by_key() */
    const struct value *rest; /* a comparison by a key, or by several */
};
/* Whether `value`, in the comparator's body, is less(a, b) | (a == b & rest), by keys of which no
 * two are unordered: floats are compared in total order. */
bool comparator_by_keys(const struct block *body, const struct value *value,
                        struct comparator_keys *keys);

#endif
