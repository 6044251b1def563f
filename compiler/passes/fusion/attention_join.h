/* attention_join.h: kernels between the products of attention (attention.h) become one: where an
 * elementwise function of the scores is expensive, as the soft cap c * tanh(s / c), fusion computes
 * it in a kernel of its own, and stores it. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_JOIN_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_JOIN_H

#include "compiler/ir/ir.h"

/* Whether the operand of a FUSION_LOOP is the only result of another FUSION_LOOP of the same block,
 * and has no other user. */
bool attention_join_is_possible(const struct op *fusion, int operand);

/* Inserts a FUSION_LOOP before both's user that computes both. Its operands are those of the other
 * fusion and those of `fusion` that remain, in this order. */
struct op *attention_join(struct module *module, const struct op *fusion, int operand);

#endif
