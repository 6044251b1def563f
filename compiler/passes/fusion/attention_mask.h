/* attention_mask.h: recognizes masks that hide columns of attention's scores, so that a block of
 * rows may leave out the columns behind the last one that any of its rows sees: the upper triangle
 * of a causal mask, the padding behind a sequence.
 *
 *   s       = select(visible, f(scores), c)     c: a very low constant; `visible` does not depend
 *                                               on the scores
 *   e       = exp(s - max(s))                   along rows
 *   weights = e / sum(e)
 *
 * All hidden elements of a row have the same weight. Where that is zero (the device looks at one of
 * them), a row without the others has the same maximum, and the same sum up to its rounding. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_ATTENTION_MASK_H
#define GANTRY_COMPILER_PASSES_FUSION_ATTENTION_MASK_H

#include "compiler/ir/ir.h"

struct attention_mask {
    struct value *visible; /* a pred in the region of the kernel; NULL: there is no mask */
    bool hides;            /* it is true for the columns that are hidden instead */
};

/* The mask of a softmax, whose input is the operand with that number. */
struct attention_mask attention_mask_find(const struct op *softmax, int scores_operand);

/* Inserts a FUSION_LOOP before the softmax that counts, for each row of the mask, the columns up to
 * the last visible one: an s32 with the mask's dimensions except the last. These are the last ones
 * of the scores: row i of the scores has the mask's row i modulo the number of these. Replaces the
 * softmax by one with one more operand, the counts, which its region does not read; returns it. */
struct op *attention_mask_add(struct module *module, struct op *softmax,
                              const struct attention_mask *mask);

#endif
