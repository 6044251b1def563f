/* attention_parts.h: what a FUSION_ATTENTION consists of (passes/fusion/attention.h makes it), and
 * the specification of its step. */
#ifndef GANTRY_COMPILER_PLAN_ATTENTION_PARTS_H
#define GANTRY_COMPILER_PLAN_ATTENTION_PARTS_H

#include "compiler/ir/ir.h"
#include "compiler/program/program.h"

/* The operations in the region of a FUSION_ATTENTION. */
struct attention_parts {
    struct op *scores, *weights, *values; /* values and scores: dot_general or FUSION_DOT */
    int scores_operand;                   /* of `weights` */
    int weights_operand;                  /* of `values`, 0 or 1 (library_spec_dot_operand) */
    int mask_operand;                     /* of `weights`: attention_mask.h's count; -1: none */
};
struct attention_parts attention_parts(const struct op *attention);

/* The specification without the kernel's number; *swaps: the left side of the first product has the
 * keys. False where the products do not fit together, or are not supported; never of a
 * FUSION_ATTENTION. */
bool attention_parts_spec(const struct attention_parts *parts, struct attention_spec *out,
                          bool *swaps);

/* Finds the parts of an attention that ends in the product `values`, where `kind` is that of the
 * kernel between the products; false: it is none. */
bool attention_parts_find(struct op *values, enum fusion_kind kind, struct attention_parts *out);
/* Whether an operation may be what is between the products. */
bool attention_parts_is_between(const struct op *op, enum fusion_kind kind);
/* The operation that computes a value, before reshapes; NULL: none. */
struct op *attention_parts_source(const struct value *value);

#endif
