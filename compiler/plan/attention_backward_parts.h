/* attention_backward_parts.h: what a FUSION_ATTENTION_BACKWARD consists of
 * (passes/fusion/attention_backward.h makes it), and the specification of its step. */
#ifndef GANTRY_COMPILER_PLAN_ATTENTION_BACKWARD_PARTS_H
#define GANTRY_COMPILER_PLAN_ATTENTION_BACKWARD_PARTS_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

enum { ATTENTION_BACKWARD_PARTS = 7 };

/* The operations in the region of a FUSION_ATTENTION_BACKWARD. The sides of the products are those
 * of the specification: operand `left` of each is its left side. */
struct attention_backward_parts {
    struct op *scores, *weights, *change, *gradient; /* products and FUSION_ROWS */
    struct op *to_values, *to_queries, *to_keys;     /* products */
    int scores_left, change_left, values_left, queries_left, keys_left;
    int mask_operand; /* of `weights`: attention_mask.h's count; -1: none */
};
struct attention_backward_parts attention_backward_parts(const struct op *fusion);

/* Sets the sides, and the specification without the kernels' numbers. False where the products do
 * not fit together, or are not supported; never of a FUSION_ATTENTION_BACKWARD. */
bool attention_backward_parts_spec(struct attention_backward_parts *parts,
                                   struct attention_backward_spec *out);

/* The parts, from their operations in the order of the region, without a mask. */
struct attention_backward_parts attention_backward_parts_of(struct op *const *ops);
/* The specification of a product that reads rows, which are its left side; *left: its operand that
 * they are. False: it does not read them. */
bool attention_backward_parts_product(const struct op *product, const struct value *rows,
                                      struct dot_spec *out, int *left);
/* What products read of an array of rows that a kernel computes: it, or its rounding to bf16. */
struct value *attention_backward_parts_rounded(struct value *rows);

#endif
