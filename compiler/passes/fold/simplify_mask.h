/* simplify_mask.h: detects masks: factors that are 0 or 1 because they are converted predicates. As
 * in XLA's CPU backend, the predicate must be converted to the type of the product in one step. The
 * result of the conversion may be moved by reshapes, transposes and broadcasts that XLA sinks below
 * the product:
 *
 *     x * convert(p)                             a mask
 *     reshape(x) * reshape(convert(p))           a mask: both factors are moved in the same way
 *     exp(transpose(x)) * transpose(convert(p))  a mask: reshapes and transposes sink below
 *                                                elementwise operations; constants and scalars are
 *                                                ignored
 *     y * transpose(convert(p))                  not a mask
 *     x * convert(convert(p))                    not a mask
 *
 * XLA does not sink a reshape or transpose that has other users (a dot, a reduction); this analysis
 * ignores other users. */
#ifndef GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_MASK_H
#define GANTRY_COMPILER_PASSES_FOLD_SIMPLIFY_MASK_H

#include "compiler/ir/build.h"

/* Whether `factor` is a mask in the product factor * other. Visits a bounded number of
 * operations. */
bool simplify_mask_is(const struct value *factor, const struct value *other);

/* If simplify_mask_is(factor, other), builds and returns the factor's predicate with the dimensions
 * of the factor; otherwise returns NULL. */
struct value *simplify_mask_find(struct builder *b, const struct value *factor,
                                 const struct value *other);

#endif
