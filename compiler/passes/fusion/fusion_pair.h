/* fusion_pair.h: two fusions of a block become one, which computes once what both compute. */
#ifndef GANTRY_COMPILER_PASSES_FUSION_FUSION_PAIR_H
#define GANTRY_COMPILER_PASSES_FUSION_FUSION_PAIR_H

#include "compiler/ir/ir.h"

struct fusion_body {
    int operations;
    double code;    /* cost per element */
    bool positions; /* computes of the index in one of several dimensions */
};

/* Describes the body of a fusion. False: not each of its operations computes an element on its own,
 * with no loop inside; or there are more than `most`. */
bool fusion_pair_describe(const struct op *fusion, int most, struct fusion_body *body);

/* Whether one fusion has at most `most` operations that the other does not compute of the same
 * values. *code is their cost per element. */
bool fusion_pair_adds_few(struct arena *arena, const struct op *fusion, const struct op *other,
                          int most, double *code);

/* Puts one fusion of a kind in the place of the earlier one, of which the later one may use
 * results. It returns their results in this order, without those that only the later one used. The
 * operands of the later one must be there where the earlier one is. */
struct error *fusion_pair_join(struct module *module, enum fusion_kind kind, struct op *earlier,
                               struct op *later, struct op **out);

#endif
