/* kernel_constants.h: finds the constants of a fusion that its kernel may as well read from memory:
 * its code would be equally fast. They are
 *   - numbers that are added, multiplied, compared ..., and indices of dynamic slices and updates;
 *   - the positions at which an argument of the fusion is sliced.
 * Constants whose value matters for speed stay part of the code: divisors, exponents, shift
 * amounts, factors of integers, initial values, strides, sizes, positions of narrow slices, and all
 * of fusions other than FUSION_LOOP and FUSION_UPDATE. */
#ifndef GANTRY_COMPILER_LOWER_KERNEL_CONSTANTS_H
#define GANTRY_COMPILER_LOWER_KERNEL_CONSTANTS_H

#include "base/vec.h"
#include "compiler/ir/ir.h"

struct kernel_constant {
    struct op *op; /* that has the constant operand `index`, or OP_slice: the start of dimension
                      `index` */
    int index;
    enum dtype dtype;  /* of the number */
    const void *bytes; /* the number; borrowed from the operations */
};

struct kernel_constants {
    VEC(struct kernel_constant) list; /* in the order of the operations and operands */
    struct map *fields;               /* the same for signature_without() */
};

/* All memory comes from the arena. A fusion with more than 256 such constants has an empty list. */
void kernel_constants_find(struct arena *arena, const struct op *fusion,
                           struct kernel_constants *out);

/* True for the same number of the same type. */
bool kernel_constants_equal(const struct kernel_constant *a, const struct kernel_constant *b);

/* True if all dimensions outside of `dim` have size 1: then a slice that starts at another position
 * of `dim` is the same slice of an array that begins elsewhere. */
bool kernel_constants_is_outermost(const struct type *type, int dim);

#endif
