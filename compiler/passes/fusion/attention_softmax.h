/* attention_softmax.h: the softmax in a kernel of attention (attention.h):
 *
 *   e       = exp(s - max(s))   along rows
 *   weights = e / sum(e)
 *
 * Roundings to other float types are allowed in between. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SOFTMAX_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_SOFTMAX_H

#include "compiler/ir/ir.h"

/* The division whose result is what a fusion computes, or rounds; NULL: that is not a softmax. */
struct op *attention_softmax_quotient(const struct op *fusion);

/* `s`, of such a division. */
struct value *attention_softmax_input(const struct op *quotient);

/* The operation with that code whose result `value` is, or rounds; else NULL. */
struct op *attention_softmax_defined_by(const struct value *value, enum op_code code);

/* Replaces the division of all elements by one for each row and a product, whose error is that of
 * one more rounding. A sum is at least 1 or NaN, since it has the exponential of zero: the
 * reciprocal is a normal number. Other fusions, and softmaxes of types other than f32, stay as they
 * are. */
void attention_softmax_multiply(struct module *module, struct op *fusion);

#endif
